package dev.doyen.stores.quorum;

import dev.doyen.store.StoreUnavailableException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Sends requests that other processes must answer immediately. Threads: any. */
final class UrgentRequests {

    /** The maximum time to wait for an answer. */
    static final Duration ANSWER = Duration.ofSeconds(1);

    private final Requests requests;
    private final RaftTime time;

    UrgentRequests(Requests requests, RaftTime time) {
        this.requests = requests;
        this.time = time;
    }

    /**
     * Sends a request. The returned future completes on the thread of {@link RaftTime}. The future fails if no answer
     * arrives within {@link #ANSWER}.
     */
    CompletableFuture<Requests.Answered> send(String address, Frames.Request request, byte[] body) {
        CompletableFuture<Requests.Answered> answered = requests.send(address, request, body);
        time.unlessDone(
                answered,
                ANSWER,
                () -> answered.completeExceptionally(new StoreUnavailableException("no answer in time")));
        return answered.whenCompleteAsync((answer, failure) -> {}, time::execute);
    }
}
