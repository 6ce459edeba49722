package dev.doyen.kotlin

import dev.doyen.client.LeaderWatch
import dev.doyen.client.state.LeaderState
import java.util.concurrent.Flow.Subscriber
import java.util.concurrent.Flow.Subscription
import kotlinx.coroutines.channels.awaitClose
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.callbackFlow
import kotlinx.coroutines.flow.conflate

/**
 * Emits the present state, and then each change, until the watch is closed.
 *
 * A slow collector can miss outdated states, but it always receives the present state.
 */
public fun LeaderWatch.states(): Flow<LeaderState> =
    callbackFlow {
        val subscriber =
            object : Subscriber<LeaderState> {
                @Volatile var subscription: Subscription? = null

                override fun onSubscribe(given: Subscription) {
                    subscription = given
                    given.request(Long.MAX_VALUE)
                }

                override fun onNext(state: LeaderState) {
                    trySend(state)
                }

                override fun onError(fault: Throwable) {
                    close(fault)
                }

                override fun onComplete() {
                    close()
                }
            }
        subscribe(subscriber)
        awaitClose { subscriber.subscription?.cancel() }
    }.conflate()
