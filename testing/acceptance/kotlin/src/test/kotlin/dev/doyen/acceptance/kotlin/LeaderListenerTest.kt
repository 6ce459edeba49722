package dev.doyen.acceptance.kotlin

import LeaderChanged
import LeaderListener
import java.nio.file.Path
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit
import java.util.function.Supplier
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.io.TempDir
import org.springframework.context.ApplicationListener
import org.springframework.context.PayloadApplicationEvent
import org.springframework.context.annotation.AnnotationConfigApplicationContext
import org.springframework.core.env.MapPropertySource
import org.springframework.web.reactive.function.client.WebClient

/** The listener that docs/guide/any-language.md shows, beside a sidecar that is frozen, thaws and is killed. */
@Timeout(180)
class LeaderListenerTest {

    private val heard = LinkedBlockingQueue<LeaderChanged>()

    @TempDir lateinit var directory: Path

    @Test
    fun it_hears_who_leads_and_believes_nobody_who_is_silent() {
        sidecar(directory, "file:" + directory.resolve("leases")).use { elector ->
            application("http://localhost:${elector.port()}/sse").use {
                assertThat(generateSequence(::next).first { it.name.isNotEmpty() }).isEqualTo(LeaderChanged("pod-1", true))
                elector.freeze()
                hear(LeaderChanged("", false))
                elector.thaw()
                hear(LeaderChanged("pod-1", true))
                elector.kill()
                hear(LeaderChanged("", false))
                elector.restart()
                hear(LeaderChanged("pod-1", true))
            }
        }
    }

    private fun application(url: String) =
        AnnotationConfigApplicationContext().apply {
            environment.propertySources.addFirst(
                MapPropertySource("sidecar", mapOf("ELECTOR_SSE_URL" to url, "HOSTNAME" to "pod-1")),
            )
            registerBean(WebClient.Builder::class.java, Supplier { WebClient.builder() })
            register(LeaderListener::class.java)
            addApplicationListener(ApplicationListener<PayloadApplicationEvent<*>> { heard.put(it.payload as LeaderChanged) })
            refresh()
        }

    /** Skips other events, which come if the machine is busy. */
    private fun hear(expected: LeaderChanged) {
        generateSequence(::next).first { it == expected }
    }

    private fun next(): LeaderChanged = heard.poll(60, TimeUnit.SECONDS) ?: throw AssertionError("nothing happened in 60 s")
}
