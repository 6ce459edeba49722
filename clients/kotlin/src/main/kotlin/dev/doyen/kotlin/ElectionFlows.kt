package dev.doyen.kotlin

import dev.doyen.Candidate
import dev.doyen.ElectionListener
import dev.doyen.Leadership
import dev.doyen.Observer
import dev.doyen.event.Leader
import dev.doyen.event.LossCause
import java.util.Optional
import kotlinx.coroutines.channels.awaitClose
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.callbackFlow
import kotlinx.coroutines.flow.conflate
import kotlinx.coroutines.flow.distinctUntilChanged

/**
 * Who leads, or null: what is so now, and then each change. A slow collector misses what is over by the time it looks
 * again, never what is so now.
 */
public fun Observer.leaders(): Flow<Leader?> =
    callbackFlow {
        trySend(leader().orElse(null))
        val registration =
            listen(object : ElectionListener {
                override fun leaderChanged(leader: Optional<Leader>) {
                    trySend(leader.orElse(null))
                }
            })
        awaitClose { registration.close() }
    }.conflate().distinctUntilChanged()

/**
 * This candidate's leadership, or null: what is so now, and then each change, as [leaders] has it. To show it, and to be
 * told: nothing waits for a collector, so the lease may be given back before it has stopped. Work belongs in [whileLeader].
 */
public fun Candidate.leaderships(): Flow<Leadership?> =
    callbackFlow {
        trySend(null)
        val registration =
            listen(object : ElectionListener {
                override fun elected(leadership: Leadership) {
                    trySend(leadership)
                }

                override fun lost(cause: LossCause) {
                    trySend(null)
                }
            })
        awaitClose { registration.close() }
    }.conflate()
