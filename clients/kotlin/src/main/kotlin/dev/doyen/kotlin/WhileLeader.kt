package dev.doyen.kotlin

import dev.doyen.Candidate
import dev.doyen.Leadership
import java.util.concurrent.CountDownLatch
import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.Job
import kotlinx.coroutines.async
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.runInterruptible

/** How many candidates of one process may wait or lead in [whileLeader] at a time; each keeps a thread that waits. */
public const val MAX_WAITING: Int = 256

private val waiting = Dispatchers.IO.limitedParallelism(MAX_WAITING, "doyen while leader")

/**
 * Waits until this candidate leads, then runs [block], in the caller's context. If the leadership is lost before it has
 * returned, cancels it, waits until it has ended, children included, and runs it anew at the next election. So it runs here
 * only while this candidate leads, and the lease is never given back before it has ended (rule L6). A block that swallows
 * the cancellation delays the release; after one ttl another candidate leads. So check [Leadership.isCertain] in long
 * loops that do not suspend.
 *
 * If the block returns or throws, or the caller is cancelled, the candidate resigns when the block has ended. It does not
 * campaign until this function, [Candidate.whileLeading] or [Candidate.resume] is called.
 *
 * @return what the block returned while leading, after resigning; null if the candidate was closed first
 * @throws IllegalStateException if work is already running for this candidate
 */
public suspend fun <T : Any> Candidate.whileLeader(block: suspend CoroutineScope.(Leadership) -> T): T? {
    val caller = currentCoroutineContext().minusKey(Job)
    return runInterruptible(waiting) {
        var result: T? = null
        val returned = whileLeading<Exception> { leadership -> result = term(caller, leadership, block) }
        if (returned) result else null
    }
}

/** One term's work, waited for in this thread, whose interrupt means that the term is over. */
@OptIn(ExperimentalCoroutinesApi::class)
private fun <T> term(caller: CoroutineContext, leadership: Leadership, block: suspend CoroutineScope.(Leadership) -> T): T {
    val work: Deferred<T> = CoroutineScope(caller + Job()).async { block(leadership) }
    val ended = CountDownLatch(1)
    work.invokeOnCompletion { ended.countDown() }
    var interrupt: InterruptedException? = null
    while (!work.isCompleted) {
        try {
            ended.await()
        } catch (e: InterruptedException) {
            interrupt = e
            work.cancel()
        }
    }
    interrupt?.let { throw it }
    return work.getCompleted()
}
