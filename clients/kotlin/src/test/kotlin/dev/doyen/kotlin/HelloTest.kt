package dev.doyen.kotlin

import java.nio.file.Path
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.io.TempDir

/** The lines that clients/java/README.md shows. */
@Timeout(180)
class HelloTest {

    @TempDir lateinit var directory: Path

    @Test
    fun it_says_that_it_leads() {
        val java = Path.of(System.getProperty("java.home"), "bin", "java").toString()
        val hello = ProcessBuilder(
            java, "-cp", System.getProperty("java.class.path"), "HelloKt", "node-1", "file:$directory",
        ).redirectErrorStream(true).start()
        try {
            assertThat(hello.inputReader().readLine()).isEqualTo("node-1 leads in term 1")
        } finally {
            hello.destroyForcibly().waitFor()
        }
    }
}
