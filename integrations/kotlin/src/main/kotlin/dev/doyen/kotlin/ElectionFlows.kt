package dev.doyen.kotlin

import dev.doyen.election.Candidate
import dev.doyen.election.ElectionListener
import dev.doyen.election.LeaderListener
import dev.doyen.election.Leadership
import dev.doyen.election.Observer
import dev.doyen.event.Leader
import dev.doyen.event.LossCause
import kotlinx.coroutines.channels.awaitClose
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.callbackFlow
import kotlinx.coroutines.flow.conflate
import kotlinx.coroutines.flow.distinctUntilChanged

/**
 * Emits the present leader, or null, and then each change.
 *
 * A slow collector can miss outdated states, but it always receives the present state.
 */
public fun Observer.leaders(): Flow<Leader?> =
    callbackFlow {
        trySend(leader().orElse(null))
        val registration =
            listen(LeaderListener { leader -> trySend(leader.orElse(null)) })
        awaitClose { registration.close() }
    }.conflate().distinctUntilChanged()

/**
 * Emits this candidate's present leadership, or null, and then each change.
 *
 * Use this flow only for display and logging, and put work into [whileLeader]. The election does not wait for a
 * collector, so the lease can be released before the collector has stopped. A slow collector can miss outdated states,
 * as in [leaders].
 */
public fun <L : Leadership> Candidate<L>.leaderships(): Flow<L?> =
    callbackFlow {
        trySend(null)
        val registration =
            listen(object : ElectionListener<L> {
                override fun elected(leadership: L) {
                    trySend(leadership)
                }

                override fun lost(cause: LossCause) {
                    trySend(null)
                }
            })
        awaitClose { registration.close() }
    }.conflate()
