package dev.doyen.kotlin

import com.sun.net.httpserver.HttpServer
import dev.doyen.client.Elector
import dev.doyen.client.LeaderWatch
import dev.doyen.client.state.LeaderState
import dev.doyen.client.state.Role
import java.net.InetAddress
import java.net.InetSocketAddress
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

/** The flow of a watch over a fake elector's stream. Tests in clients/java cover what a stream means. */
@Timeout(180)
class StatesTest {

    private val says = LinkedBlockingQueue<String>()
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
                exchange.responseBody.write("data: {\"name\":\"${says.take()}\"}\n\n".toByteArray())
                exchange.responseBody.flush()
            }
        }
        elector.start()
        watch = Elector.at("http://localhost:${elector.address.port}").name("me").build().watch()
    }

    @AfterEach
    fun close() {
        watch.close()
        threads.shutdownNow()
        elector.stop(0)
    }

    @Test
    fun it_begins_with_what_is_so_tells_each_change_and_ends_with_the_watch() {
        val seen = LinkedBlockingQueue<LeaderState>()
        val collecting = collect(seen)
        assertThat(next(seen).role()).isEqualTo(Role.UNKNOWN)
        says.put("other")
        assertThat(next(seen)).matches { it.role() == Role.FOLLOWING && it.leader().get() == "other" }
        says.put("me")
        assertThat(next(seen).isLeader).isTrue()
        assertThat(runBlocking { watch.states().first() }.isLeader).`as`("for one that comes late").isTrue()

        watch.close()

        runBlocking { collecting.join() }
        assertThat(seen).isEmpty()
    }

    @Test
    fun who_is_slow_misses_what_is_over_but_not_what_is_so() {
        val slow = LinkedBlockingQueue<LeaderState>()
        val mayGoOn = Semaphore(0)
        collect(slow) { mayGoOn.acquire() }
        next(slow)
        // The watch notifies this one after the slow one, because it subscribed later.
        val quick = LinkedBlockingQueue<LeaderState>()
        collect(quick)
        next(quick)
        for (name in listOf("other", "another", "me")) {
            says.put(name)
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
