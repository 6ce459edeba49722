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

/** Tests the listener of docs/guide/any-language.md beside a sidecar that is frozen, continued and killed. */
@Timeout(180)
class LeaderListenerTest {

    private val received = LinkedBlockingQueue<LeaderChanged>()

    @TempDir lateinit var directory: Path

    @Test
    fun it_receives_the_leader_and_ignores_a_silent_elector() {
        sidecar(directory, "file:" + directory.resolve("leases")).use { elector ->
            application("http://localhost:${elector.port()}/sse").use {
                assertThat(generateSequence(::next).first { it.name.isNotEmpty() }).isEqualTo(LeaderChanged("pod-1", true))
                elector.freeze()
                awaitEvent(LeaderChanged("", false))
                elector.thaw()
                awaitEvent(LeaderChanged("pod-1", true))
                elector.kill()
                awaitEvent(LeaderChanged("", false))
                elector.restart()
                awaitEvent(LeaderChanged("pod-1", true))
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
            addApplicationListener(ApplicationListener<PayloadApplicationEvent<*>> { received.put(it.payload as LeaderChanged) })
            refresh()
        }

    /** Waits for this event. Skips other events, which a busy machine can cause. */
    private fun awaitEvent(expected: LeaderChanged) {
        generateSequence(::next).first { it == expected }
    }

    private fun next(): LeaderChanged = received.poll(60, TimeUnit.SECONDS) ?: throw AssertionError("nothing happened in 60 s")
}
