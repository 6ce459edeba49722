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

/** Applications with the starter beside the sidecar's process: one asks for the election by its name, one at the root. */
@Timeout(180)
class SpringBesideSidecarTest {

    @TempDir lateinit var directory: Path

    @Test
    fun they_lead_by_the_sidecars_word_and_not_when_it_is_killed() {
        sidecar(directory, "file:" + directory.resolve("leases")).use { elector ->
            application(elector, "by-name").use { byName ->
                application(elector, "of-one").use { ofOne ->
                    val jobs = listOf(byName, ofOne).map { it.getBean(Job::class.java) }
                    val first = jobs.map { it.elected() }
                    jobs.forEachIndexed { at, it -> assertThat(it.term()).isEqualTo(first[at]) }
                    order(elector, "pause")
                    jobs.forEachIndexed { at, it ->
                        assertThat(it.next()).isEqualTo("revoked ${first[at]} SUPERSEDED")
                        assertThat(it.term()).isNull()
                    }
                    order(elector, "resume")
                    val second = jobs.map { it.elected() }
                    second.forEachIndexed { at, term -> assertThat(term).isGreaterThan(first[at]) }
                    elector.kill()
                    jobs.forEachIndexed { at, it ->
                        assertThat(it.next()).isEqualTo("revoked ${second[at]} EXPIRED")
                        assertThat(it.term()).isNull()
                    }
                    assertThat(byName.getBean(LeaderElections::class.java).isLeader("app")).isFalse()
                }
            }
        }
    }

    private fun application(elector: ServerProcess, speaks: String): ConfigurableApplicationContext =
        SpringApplicationBuilder(Application::class.java, Job::class.java)
            .logStartupInfo(false)
            .properties(
                "doyen.elector.url=http://localhost:${elector.port()}",
                "doyen.elector.speaks=$speaks",
                "doyen.elector.max-age=6s",
                "doyen.candidate-id=pod-1",
                "spring.main.banner-mode=off",
            )
            .run()

    private fun order(elector: ServerProcess, what: String) {
        val url = URI("http://localhost:${elector.port()}/v1/elections/app/$what").toURL()
        val connection = url.openConnection() as HttpURLConnection
        connection.requestMethod = "POST"
        assertThat(connection.responseCode).isBetween(200, 299)
    }

    @EnableAutoConfiguration
    open class Application

    open class Job {
        private val heard = LinkedBlockingQueue<String>()

        @LeaderOnly("app")
        open fun term(): Long? = (CurrentLeadership.get() as ElectorLeadership).term().asLong

        @EventListener
        open fun on(event: ElectedEvent) {
            heard.put("elected ${(event.leadership() as ElectorLeadership).term().asLong}")
        }

        @EventListener
        open fun on(event: RevokedEvent) {
            heard.put("revoked ${(event.leadership() as ElectorLeadership).term().asLong} ${event.cause()}")
        }

        open fun next(): String = heard.poll(60, TimeUnit.SECONDS) ?: throw AssertionError("nothing happened in 60 s")

        /** The term in which it was elected. */
        open fun elected(): Long = next().also { assertThat(it).startsWith("elected ") }.substringAfter(' ').toLong()
    }
}
