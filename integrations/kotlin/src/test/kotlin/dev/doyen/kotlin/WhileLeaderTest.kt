package dev.doyen.kotlin

import dev.doyen.LeaseCandidate
import dev.doyen.Election
import dev.doyen.event.LossCause
import dev.doyen.testkit.FakeElection
import java.time.Duration
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.Semaphore
import java.util.concurrent.TimeUnit
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path

@Timeout(180)
class WhileLeaderTest {

    private val fake = FakeElection.named("orders")
    private val me: LeaseCandidate = fake.election().join("me")
    private val events = LinkedBlockingQueue<String>()

    @TempDir lateinit var directory: Path

    @AfterEach
    fun close() = fake.close()

    @Test
    fun the_block_runs_in_the_callers_context_and_its_result_comes_after_resigning() = runBlocking<Unit> {
        val caller = Thread.currentThread()
        val result = async {
            me.whileLeader { leadership ->
                events.put("in the caller's thread: " + (Thread.currentThread() === caller))
                leadership.term()
            }
        }
        withContext(Dispatchers.IO) { fake.grant() }

        assertThat(result.await()).isPositive()
        assertThat(events.poll()).isEqualTo("in the caller's thread: true")
        assertThat(me.isLeader).isFalse()
    }

    /**
     * Tests rule L6. No other candidate can lead while a child of the block cleans up. After the cleanup, the block
     * runs again in a new term.
     */
    @Test
    fun a_loss_cancels_the_block_and_the_lease_is_released_after_it() {
        val mayEnd = Semaphore(0)
        val job = CoroutineScope(Dispatchers.Default).launch {
            me.whileLeader { leadership ->
                launch {
                    try {
                        awaitCancellation()
                    } finally {
                        events.put("ending")
                        mayEnd.acquire()
                    }
                }
                events.put("begun in " + leadership.term())
                awaitCancellation()
            }
        }
        fake.grant()
        val first = next()
        val resigned = me.resign()
        fake.pass(Duration.ofMillis(1))
        assertThat(next()).isEqualTo("ending")
        fake.pass(Duration.ofSeconds(1))
        val term = first.removePrefix("begun in ").toLong()
        assertThat(fake.written().filter { it.term() == term }.map { it.holder() }).containsOnly("me")
        assertThat(resigned).isNotDone()
        mayEnd.release()
        fake.grant()

        assertThat(next()).startsWith("begun in ").isNotEqualTo(first)
        assertThat(fake.written().filter { it.term() == term }.map { it.holder() }).contains("")
        mayEnd.release()
        runBlocking { job.cancelAndJoin() }
        assertThat(next()).isEqualTo("ending")
        assertThat(me.isLeader).isFalse()
    }

    @Test
    fun an_exception_of_the_block_is_thrown_after_resigning() {
        val failed = CoroutineScope(Dispatchers.Default).async {
            me.whileLeader { throw IllegalArgumentException("as the test wants it") }
        }
        fake.grant()

        assertThatThrownBy { runBlocking { failed.await() } }
            .isInstanceOf(IllegalArgumentException::class.java)
            .hasMessage("as the test wants it")
        assertThat(me.isLeader).isFalse()
    }

    @Test
    fun a_candidate_that_is_closed_first_has_no_result() {
        val waits = CoroutineScope(Dispatchers.Default).async { me.whileLeader { "never" } }
        me.close()

        assertThat(runBlocking { waits.await() }).isNull()
    }

    @Test
    fun a_waiting_caller_can_be_cancelled() = runBlocking<Unit> {
        val waits = launch(Dispatchers.Default) { me.whileLeader { events.put("never") } }
        waits.cancelAndJoin()

        assertThat(events).isEmpty()
    }

    @Test
    fun flows_emit_the_current_state_and_each_change() {
        val seen = LinkedBlockingQueue<String>()
        val scope = CoroutineScope(Dispatchers.Default)
        val leaders = scope.launch { me.leaders().collect { seen.put("leader " + it?.id) } }
        assertThat(seen.poll(60, TimeUnit.SECONDS)).startsWith("leader ")
        val own = scope.launch { me.leaderships().collect { events.put(if (it == null) "none" else "mine") } }
        assertThat(next()).isEqualTo("none")
        fake.grant()
        assertThat(next()).isEqualTo("mine")
        generateSequence { seen.poll(60, TimeUnit.SECONDS) }.first { it == "leader me" }
        fake.lose(LossCause.EXPIRED)
        assertThat(next()).isEqualTo("none")
        generateSequence { seen.poll(60, TimeUnit.SECONDS) }.first { it != "leader me" }
        runBlocking {
            leaders.cancelAndJoin()
            own.cancelAndJoin()
        }
    }

    /** Tests two candidates of one election with a real file store and real time. */
    @Test
    fun candidates_lead_one_after_the_other() {
        Election.lease("orders").store("file:" + directory.resolve("leases")).open().use { election ->
            val first = election.join("first")
            val second = election.join("second")
            val scope = CoroutineScope(Dispatchers.Default)
            val one = scope.async { first.whileLeader { it.term() } }
            val two = scope.async { second.whileLeader { it.term() } }
            runBlocking {
                assertThat(setOf(one.await(), two.await())).containsExactlyInAnyOrder(1L, 2L)
            }
        }
    }

    private fun next(): String = events.poll(60, TimeUnit.SECONDS) ?: throw AssertionError("nothing happened in 60 s")
}
