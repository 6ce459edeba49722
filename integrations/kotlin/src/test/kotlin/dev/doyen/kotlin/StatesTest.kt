package dev.doyen.kotlin

import com.sun.net.httpserver.HttpServer
import dev.doyen.client.Elector
import dev.doyen.client.LeaderWatch
import dev.doyen.client.state.LeaderState
import dev.doyen.client.state.Role
import java.net.InetAddress
import java.net.InetSocketAddress
import java.time.Duration
import java.util.concurrent.BlockingQueue
import java.util.concurrent.Executors
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.Semaphore
import java.util.concurrent.TimeUnit
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

/**
 * Tests the flow of a watch that reads the stream of a fake elector. The tests in clients/java cover the content of a
 * stream.
 */
@Timeout(180)
class StatesTest {

    private val names = LinkedBlockingQueue<String>()
    private val threads = Executors.newCachedThreadPool()
    private val elector = HttpServer.create(InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0)
    private val scope = CoroutineScope(Dispatchers.Default)
    private lateinit var watch: LeaderWatch

    @BeforeEach
    fun open() {
        elector.executor = threads
        elector.createContext("/sse") { exchange ->
            exchange.responseHeaders.add("Content-Type", "text/event-stream")
            exchange.sendResponseHeaders(200, 0)
            while (true) {
                exchange.responseBody.write("data: {\"name\":\"${names.take()}\"}\n\n".toByteArray())
                exchange.responseBody.flush()
            }
        }
        elector.start()
        // The fake elector sends no heartbeats. With a short age, a watch on a busy machine would open a second stream,
        // and the fake elector would write a name to the first.
        watch = Elector.at("http://localhost:${elector.address.port}")
            .name("me").maxAge(Duration.ofMinutes(10)).build().watch()
    }

    @AfterEach
    fun close() {
        watch.close()
        threads.shutdownNow()
        elector.stop(0)
    }

    @Test
    fun the_flow_emits_the_current_state_then_each_change_and_ends_with_the_watch() {
        val seen = LinkedBlockingQueue<LeaderState>()
        val collecting = collect(seen)
        assertThat(next(seen).role()).isEqualTo(Role.UNKNOWN)
        names.put("other")
        assertThat(next(seen)).matches { it.role() == Role.FOLLOWING && it.leader().get() == "other" }
        names.put("me")
        assertThat(next(seen).isLeader).isTrue()
        assertThat(runBlocking { watch.states().first() }.isLeader).`as`("for one that comes late").isTrue()

        watch.close()

        runBlocking { collecting.join() }
        assertThat(seen).isEmpty()
    }

    @Test
    fun a_slow_collector_misses_old_states_but_not_the_current_one() {
        val slow = LinkedBlockingQueue<LeaderState>()
        val mayGoOn = Semaphore(0)
        collect(slow) { mayGoOn.acquire() }
        next(slow)
        // The watch notifies the quick subscriber after the slow subscriber, because the quick subscriber subscribed
        // later.
        val quick = LinkedBlockingQueue<LeaderState>()
        collect(quick)
        next(quick)
        for (name in listOf("other", "another", "me")) {
            names.put(name)
            assertThat(next(quick).leader()).contains(name)
        }

        mayGoOn.release()

        assertThat(next(slow).isLeader).isTrue()
        mayGoOn.release()
    }

    private fun collect(into: BlockingQueue<LeaderState>, then: () -> Unit = {}): Job =
        scope.launch {
            watch.states().collect {
                into.put(it)
                then()
            }
        }

    private fun next(queue: BlockingQueue<LeaderState>): LeaderState =
        queue.poll(60, TimeUnit.SECONDS) ?: throw AssertionError("nothing happened in 60 s")
}
