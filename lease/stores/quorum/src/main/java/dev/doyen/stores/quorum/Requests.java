package dev.doyen.stores.quorum;

import dev.doyen.store.StoreUnavailableException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The unanswered requests of this process. Each request is sent once.
 *
 * <p>Threads: any.
 */
final class Requests {

    /** The most requests that may wait for answers at once. */
    static final int MAX_WAITING = 10_000;

    /** An answer with its body. The request defines the content of the body. */
    static final class Answered {

        static final Answered NOT_LEADER = new Answered(Frames.Answer.NOT_LEADER, new byte[0]);

        private final Frames.Answer answer;
        private final byte[] body;

        /** @param leader the address of the member that leads, as far as this process knows; empty if it knows none */
        static Answered notLeader(Optional<String> leader) {
            return leader.map(each -> new Answered(
                            Frames.Answer.NOT_LEADER, new ByteSink().text(each).bytes()))
                    .orElse(NOT_LEADER);
        }

        static Answered done(byte[] body) {
            return new Answered(Frames.Answer.DONE, body);
        }

        /**
         * Returns the answer that the outcome is unknown.
         *
         * @param why the reason, as a sentence for users
         */
        static Answered unknown(String why) {
            return new Answered(Frames.Answer.UNKNOWN, new ByteSink().text(why).bytes());
        }

        /**
         * Returns the answer that the request was not executed.
         *
         * @param why the reason, as a sentence for users
         */
        static Answered unavailable(String why) {
            return new Answered(
                    Frames.Answer.UNAVAILABLE, new ByteSink().text(why).bytes());
        }

        private Answered(Frames.Answer answer, byte[] body) {
            this.answer = answer;
            this.body = body;
        }

        Frames.Answer answer() {
            return answer;
        }

        byte[] body() {
            return body;
        }

        /** Returns the address of the leader, if the answer comes from another member and names one. */
        Optional<String> leader() {
            return answer == Frames.Answer.NOT_LEADER && body.length > 0
                    ? Optional.of(new ByteSource(body).text())
                    : Optional.empty();
        }

        /** Returns why the request may not have been executed, as a part of a sentence. */
        String reason() {
            return answer == Frames.Answer.NOT_LEADER ? "it does not lead the quorum" : new ByteSource(body).text();
        }

        /** Returns why the outcome of the request is unknown; null if it is known. */
        @Nullable
        StoreUnavailableException unknown() {
            return answer == Frames.Answer.UNKNOWN ? new StoreUnavailableException(new ByteSource(body).text()) : null;
        }
    }

    private record Waiting(String address, Frames.Request request, CompletableFuture<Answered> answered) {}

    /** Returns the reason of a failure, as a sentence for users. */
    static String reason(Throwable failure) {
        return String.valueOf(Futures.cause(failure).getMessage());
    }

    private final Wire wire;
    private final AtomicLong numbers = new AtomicLong();
    private final Map<Long, Waiting> waiting = new ConcurrentHashMap<>();

    Requests(Wire wire) {
        this.wire = wire;
    }

    /** Sends a request to the process at this address. */
    CompletableFuture<Answered> send(String address, Frames.Request request, byte[] body) {
        var answered = new CompletableFuture<Answered>();
        if (waiting.size() >= MAX_WAITING) {
            answered.completeExceptionally(new StoreUnavailableException(
                    MAX_WAITING + " requests already wait for answers of the quorum; more are not sent"));
            return answered;
        }
        long number = numbers.incrementAndGet();
        waiting.put(number, new Waiting(address, request, answered));
        wire.peer(address).send(Frames.request(number, request, body));
        // Do not return this stage: a caller that gives up the request completes the future itself.
        Futures.ignore(answered.whenComplete((answer, failure) -> waiting.remove(number)));
        return answered;
    }

    void answered(long number, Frames.Answer answer, byte[] body) {
        Waiting request = waiting.get(number);
        if (request != null) {
            request.answered.complete(new Answered(answer, body));
        }
    }

    /** Fails all requests to this address, because no answer to them can arrive any more. */
    void giveUp(String address, String why) {
        giveUp(each -> each.address.equals(address), why);
    }

    /** Fails all writes to other processes than this leader. Only the leader can still answer writes. */
    void giveUpOthers(String leader, String why) {
        giveUp(each -> each.request == Frames.Request.WRITE && !each.address.equals(leader), why);
    }

    private void giveUp(Predicate<Waiting> isGivenUp, String why) {
        waiting.values().stream()
                .filter(isGivenUp)
                .forEach(each -> each.answered.completeExceptionally(new StoreUnavailableException(why)));
    }
}
