package dev.doyen.kotlin

import dev.doyen.election.Leadership
import dev.doyen.election.LocalCandidate
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

/**
 * The maximum number of candidates in one process that wait or lead in [whileLeader]. Each candidate occupies a
 * thread.
 */
public const val MAX_WAITING: Int = 256

private val waiting = Dispatchers.IO.limitedParallelism(MAX_WAITING, "doyen while leader")

/**
 * Waits until this candidate leads, and then runs [block] in the caller's context.
 *
 * If the leadership is lost before the block ends, this function cancels the block and waits until the block and its
 * children have ended. Therefore the lease is never released before the block has ended (rule L6). The block runs again
 * when the candidate next leads. If a block ignores the cancellation, the lease expires after one ttl, and another
 * candidate can lead while the block still runs. Check [Leadership.isCertain] in long loops that do not suspend.
 *
 * If the block returns or throws, or if the caller is cancelled, the candidate resigns after the block has ended. The
 * candidate does not campaign again until this function, [LocalCandidate.whileLeading] or [LocalCandidate.resume] is
 * called.
 *
 * @return the result of the block after the candidate has resigned; null if the candidate was closed first
 * @throws IllegalStateException if work is already running for this candidate
 */
public suspend fun <L : Leadership, T : Any> LocalCandidate<L>.whileLeader(block: suspend CoroutineScope.(L) -> T): T? {
    val caller = currentCoroutineContext().minusKey(Job)
    return runInterruptible(waiting) {
        var result: T? = null
        val returned = whileLeading<Exception> { leadership -> result = term(caller, leadership, block) }
        if (returned) result else null
    }
}

/** Runs the work of one term and waits for the work on this thread. An interrupt means that the term has ended. */
@OptIn(ExperimentalCoroutinesApi::class)
private fun <L : Leadership, T> term(caller: CoroutineContext, leadership: L, block: suspend CoroutineScope.(L) -> T): T {
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
