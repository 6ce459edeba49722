package dev.doyen.stores.quorum;

import dev.doyen.store.StoreUnavailableException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Requests to other processes that must be answered immediately. Threads: any. */
final class UrgentRequests {

    /** How long to wait for an answer. */
    static final Duration ANSWER = Duration.ofSeconds(1);

    private final Requests requests;
    private final RaftTime time;

    UrgentRequests(Requests requests, RaftTime time) {
        this.requests = requests;
        this.time = time;
    }

    /** Sends a request. Completes on the thread of {@link RaftTime}; fails after {@link #ANSWER}. */
    CompletableFuture<Requests.Answered> ask(String address, Frames.Request request, byte[] body) {
        CompletableFuture<Requests.Answered> answered = requests.send(address, request, body);
        time.after(ANSWER, () -> answered.completeExceptionally(new StoreUnavailableException("no answer in time")));
        return answered.whenCompleteAsync((answer, failure) -> {}, time::execute);
    }
}
