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

/** Limit for the candidates of one process that wait or lead in [whileLeader]. Each occupies a waiting thread. */
public const val MAX_WAITING: Int = 256

private val waiting = Dispatchers.IO.limitedParallelism(MAX_WAITING, "doyen while leader")

/**
 * Waits until this candidate leads, then runs [block] in the caller's context.
 *
 * If the leadership is lost first, this function cancels the block, waits until it and its children have ended, and
 * runs it again at the next election. So the block runs only while this candidate leads, and the lease is never
 * released before the block has ended (rule L6). A block that swallows the cancellation delays the release, and after
 * one ttl another candidate leads. So check [Leadership.isCertain] in long loops that do not suspend.
 *
 * If the block returns or throws, or if the caller is cancelled, the candidate resigns after the block has ended. It
 * does not campaign until this function, [LocalCandidate.whileLeading] or [LocalCandidate.resume] is called.
 *
 * @return the block's result, after resigning; null if the candidate was closed first
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

/** Runs one term's work and waits for it on this thread. An interrupt means that the term is over. */
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
