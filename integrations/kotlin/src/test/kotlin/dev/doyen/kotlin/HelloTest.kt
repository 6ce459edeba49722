package dev.doyen.kotlin

import dev.doyen.store.LeaseStores
import java.nio.file.Path
import java.util.concurrent.TimeUnit
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
        val hello = start()
        try {
            awaitLeadership(hello)
        } finally {
            hello.destroyForcibly().waitFor()
        }
    }

    /** An expired lease still has its holder. So the test needs no time limit in which the lease cannot expire. */
    @Test
    fun after_sigterm_the_lease_is_released() {
        val hello = start()
        try {
            awaitLeadership(hello)
            LeaseStores.open("file:$directory").use { store ->
                assertThat(store.read("orders").record().orElseThrow().holder()).isEqualTo("node-1")
                hello.destroy()

                assertThat(hello.waitFor(60, TimeUnit.SECONDS)).isTrue()
                assertThat(store.read("orders").record().orElseThrow().isHeld()).isFalse()
            }
        } finally {
            hello.destroyForcibly().waitFor()
        }
    }

    private fun start(): Process {
        val java = Path.of(System.getProperty("java.home"), "bin", "java").toString()
        return ProcessBuilder(
            java, "-cp", System.getProperty("java.class.path"), "HelloKt", "node-1", "file:$directory",
        ).redirectErrorStream(true).start()
    }

    /**
     * Waits until the program prints that it leads. The program can print log lines first. On a busy machine, the first
     * term can end before the program prints it, so the test accepts any term.
     */
    private fun awaitLeadership(hello: Process) {
        val lines = hello.inputReader().lineSequence().take(MOST_LINES)
        assertThat(lines.firstOrNull { it.matches(LEADS) }).isNotNull()
    }

    private companion object {
        const val MOST_LINES = 1_000
        val LEADS = Regex("node-1 leads in term \\d+")
    }
}
