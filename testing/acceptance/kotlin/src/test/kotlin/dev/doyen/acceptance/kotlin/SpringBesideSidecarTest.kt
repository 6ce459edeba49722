package dev.doyen.acceptance.kotlin

import dev.doyen.spring.CurrentLeadership
import dev.doyen.spring.ElectedEvent
import dev.doyen.spring.ElectorLeadership
import dev.doyen.spring.LeaderElections
import dev.doyen.spring.LeaderOnly
import dev.doyen.spring.RevokedEvent
import dev.doyen.testkit.ServerProcess
import java.net.HttpURLConnection
import java.net.URI
import java.nio.file.Path
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.io.TempDir
import org.springframework.boot.autoconfigure.EnableAutoConfiguration
import org.springframework.boot.builder.SpringApplicationBuilder
import org.springframework.context.ConfigurableApplicationContext
import org.springframework.context.event.EventListener

/**
 * Tests two Spring applications beside a sidecar. One application names the election in the URL of the sidecar, and the
 * other uses the sidecar's root URL.
 */
@Timeout(180)
class SpringBesideSidecarTest {

    @TempDir lateinit var directory: Path

    @Test
    fun they_lead_by_the_sidecar_and_stop_when_it_is_killed() {
        sidecar(directory, "file:" + directory.resolve("leases")).use { elector ->
            application(elector, "v1").use { v1 ->
                application(elector, "nais").use { nais ->
                    val jobs = listOf(v1, nais).map { it.getBean(Job::class.java) }
                    val first = jobs.map { it.elected() }
                    jobs.forEachIndexed { at, it -> assertThat(it.term()).isEqualTo(first[at]) }
                    command(elector, "pause")
                    jobs.forEachIndexed { at, it ->
                        assertThat(it.next()).isEqualTo("revoked ${first[at]} SUPERSEDED")
                        assertThat(it.term()).isNull()
                    }
                    command(elector, "resume")
                    val second = jobs.map { it.elected() }
                    second.forEachIndexed { at, term -> assertThat(term).isGreaterThan(first[at]) }
                    elector.kill()
                    jobs.forEachIndexed { at, it ->
                        assertThat(it.next()).isEqualTo("revoked ${second[at]} EXPIRED")
                        assertThat(it.term()).isNull()
                    }
                    assertThat(v1.getBean(LeaderElections::class.java).isLeader("app")).isFalse()
                }
            }
        }
    }

    private fun application(elector: ServerProcess, api: String): ConfigurableApplicationContext =
        SpringApplicationBuilder(Application::class.java, Job::class.java)
            .logStartupInfo(false)
            .properties(
                "doyen.elector.url=http://localhost:${elector.port()}",
                "doyen.elector.api=$api",
                "doyen.elector.max-age=6s",
                "doyen.candidate-id=pod-1",
                "spring.main.banner-mode=off",
            )
            .run()

    private fun command(elector: ServerProcess, name: String) {
        val url = URI("http://localhost:${elector.port()}/v1/elections/app/$name").toURL()
        val connection = url.openConnection() as HttpURLConnection
        connection.requestMethod = "POST"
        assertThat(connection.responseCode).isBetween(200, 299)
    }

    @EnableAutoConfiguration
    open class Application

    open class Job {
        private val received = LinkedBlockingQueue<String>()

        @LeaderOnly("app")
        open fun term(): Long? = (CurrentLeadership.get() as ElectorLeadership).term().asLong

        @EventListener
        open fun on(event: ElectedEvent) {
            received.put("elected ${(event.leadership() as ElectorLeadership).term().asLong}")
        }

        @EventListener
        open fun on(event: RevokedEvent) {
            received.put("revoked ${(event.leadership() as ElectorLeadership).term().asLong} ${event.cause()}")
        }

        open fun next(): String = received.poll(60, TimeUnit.SECONDS) ?: throw AssertionError("nothing happened in 60 s")

        /** Waits until the application was elected, and returns the term. */
        open fun elected(): Long = next().also { assertThat(it).startsWith("elected ") }.substringAfter(' ').toLong()
    }
}
