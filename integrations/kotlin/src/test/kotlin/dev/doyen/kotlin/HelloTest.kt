package dev.doyen.kotlin

import java.nio.file.Path
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.io.TempDir

/** Runs the code of clients/java/README.md. */
@Timeout(180)
class HelloTest {

    @TempDir lateinit var directory: Path

    @Test
    fun it_prints_that_it_leads() {
        val java = Path.of(System.getProperty("java.home"), "bin", "java").toString()
        val hello = ProcessBuilder(
            java, "-cp", System.getProperty("java.class.path"), "HelloKt", "node-1", "file:$directory",
        ).redirectErrorStream(true).start()
        try {
            // The program can print log lines first. On a busy machine, the first term can end before the program
            // prints it, so the test accepts any term.
            val lines = hello.inputReader().lineSequence().take(MOST_LINES)
            assertThat(lines.firstOrNull { it.matches(LEADS) }).isNotNull()
        } finally {
            hello.destroyForcibly().waitFor()
        }
    }

    private companion object {
        const val MOST_LINES = 1_000
        val LEADS = Regex("node-1 leads in term \\d+")
    }
}
