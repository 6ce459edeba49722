package dev.doyen.kotlin

import dev.doyen.Election
import dev.doyen.LeaseLeadership
import dev.doyen.election.ElectionListener
import dev.doyen.event.LossCause
import dev.doyen.store.LeaseStore
import java.nio.file.Path
import java.util.concurrent.CompletableFuture
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

    @Test
    fun after_sigterm_the_next_candidate_leads_because_the_lease_was_released() {
        val hello = start()
        try {
            awaitLeadership(hello)
            LeaseStore.open("file:$directory").use { store ->
                Election.lease("orders").store(store).open().use { election ->
                    val elected = CompletableFuture<Long>()
                    election.join("node-2").listen(
                        object : ElectionListener<LeaseLeadership> {
                            override fun elected(leadership: LeaseLeadership) {
                                elected.complete(leadership.term())
                            }
                        },
                    )
                    val before = store.read("orders").record().orElseThrow()
                    assertThat(before.holder()).isEqualTo("node-1")
                    hello.destroy()

                    assertThat(elected.get(60, TimeUnit.SECONDS)).isGreaterThan(before.term())
                    // On a busy machine, a handover can take longer than the ttl of the program.
                    val past = store.read("orders").record().orElseThrow().notes().past()
                    assertThat(past.first { it.holder() == "node-1" }.end()).isEqualTo(LossCause.CLOSED)
                }
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
