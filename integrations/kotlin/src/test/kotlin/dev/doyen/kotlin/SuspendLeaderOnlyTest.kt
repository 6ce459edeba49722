package dev.doyen.kotlin

import dev.doyen.LeaseLeadership
import dev.doyen.election.Leadership
import dev.doyen.event.LossCause
import dev.doyen.spring.DoyenAutoConfiguration
import dev.doyen.spring.LeaderOnly
import dev.doyen.spring.test.FakeElections
import dev.doyen.spring.test.FakeElectionsAutoConfiguration
import dev.doyen.testkit.FakeElection
import java.util.concurrent.BlockingQueue
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit
import java.util.function.Supplier
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.launch
import kotlinx.coroutines.reactor.ReactorContext
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.springframework.context.annotation.AnnotationConfigApplicationContext

/** Tests suspend functions with [LeaderOnly] in a Spring application. */
@Timeout(180)
class SuspendLeaderOnlyTest {

    private val events: BlockingQueue<String> = LinkedBlockingQueue()

    @Test
    fun a_call_is_skipped_on_a_follower_and_made_on_the_leader() = run { job, fake ->
        runBlocking {
            assertThat(job.text()).isNull()
            job.note()
            assertThat(events).isEmpty()
            fake.grant()
            assertThat(job.text()).isEqualTo("term 2")
            job.note()
            assertThat(events).containsExactly("noted")
            fake.loseTo("another")
            assertThat(job.text()).isNull()
        }
    }

    @Test
    fun the_end_of_the_term_cancels_the_function_and_the_call_counts_as_skipped() = run { job, fake ->
        fake.grant()
        val result = CoroutineScope(Dispatchers.Default).async { job.hangs() }
        assertThat(next()).isEqualTo("began")
        fake.lose(LossCause.RESIGNED)
        assertThat(next()).isEqualTo("cancelled")
        assertThat(runBlocking { result.await() }).isNull()
    }

    @Test
    fun one_call_runs_at_a_time_and_a_cancelled_call_has_ended() = run { job, fake ->
        fake.grant()
        val running = CoroutineScope(Dispatchers.Default).launch { job.hangs() }
        assertThat(next()).isEqualTo("began")
        runBlocking {
            assertThat(job.hangs()).isNull()
            assertThat(events).isEmpty()
            running.cancelAndJoin()
        }
        assertThat(next()).isEqualTo("cancelled")
        val again = CoroutineScope(Dispatchers.Default).launch { job.hangs() }
        assertThat(next()).isEqualTo("began")
        runBlocking { again.cancelAndJoin() }
    }

    @Test
    fun an_exception_reaches_the_caller() = run { job, fake ->
        fake.grant()
        assertThatThrownBy { runBlocking { job.fails() } }
            .isInstanceOf(IllegalStateException::class.java)
            .hasMessage("on purpose")
        assertThat(runBlocking { job.text() }).isEqualTo("term 2")
    }

    private fun run(test: (Job, FakeElection) -> Unit) {
        AnnotationConfigApplicationContext().use { context ->
            context.register(FakeElectionsAutoConfiguration::class.java, DoyenAutoConfiguration::class.java)
            context.registerBean(Job::class.java, Supplier { Job(events) })
            context.refresh()
            test(context.getBean(Job::class.java), context.getBean(FakeElections::class.java).named("orders"))
        }
    }

    private fun next(): String? = events.poll(60, TimeUnit.SECONDS)

    open class Job(private val events: BlockingQueue<String>) {

        @LeaderOnly("orders")
        open suspend fun text(): String? {
            val context = currentCoroutineContext()[ReactorContext]!!.context
            yield()
            return "term " + (context.get<Leadership>(Leadership::class.java) as LeaseLeadership).term()
        }

        @LeaderOnly("orders")
        open suspend fun note() {
            yield()
            events.put("noted")
        }

        @LeaderOnly("orders")
        open suspend fun hangs(): String? {
            events.put("began")
            try {
                awaitCancellation()
            } finally {
                events.put("cancelled")
            }
        }

        @LeaderOnly("orders")
        open suspend fun fails() {
            yield()
            error("on purpose")
        }
    }
}
