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
 * Sends requests and stores them until their answers arrive. Each request is sent only once.
 *
 * <p>Threads: any.
 */
final class Requests {

    /** The maximum number of requests that wait for answers at once. */
    static final int MAX_WAITING = 10_000;

    /** The kind of an answer, with its body. The content of the body depends on the request. */
    static final class Answered {

        static final Answered NOT_LEADER = new Answered(Frames.Answer.NOT_LEADER, new byte[0]);

        private final Frames.Answer answer;
        private final byte[] body;

        /**
         * @param leader the address of the last known leader; empty if no leader is known
         */
        static Answered notLeader(Optional<String> leader) {
            return leader.map(each -> new Answered(
                            Frames.Answer.NOT_LEADER, new ByteSink().text(each).bytes()))
                    .orElse(NOT_LEADER);
        }

        static Answered done(byte[] body) {
            return new Answered(Frames.Answer.DONE, body);
        }

        /**
         * Returns an answer which states that the outcome is unknown.
         *
         * @param why the reason, as a sentence for users
         */
        static Answered unknown(String why) {
            return new Answered(Frames.Answer.UNKNOWN, new ByteSink().text(why).bytes());
        }

        /**
         * Returns an answer which states that the request was not executed.
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

        /** Returns the leader's address, if the answering member does not lead but names the leader. */
        Optional<String> leader() {
            return answer == Frames.Answer.NOT_LEADER && body.length > 0
                    ? Optional.of(new ByteSource(body).text())
                    : Optional.empty();
        }

        /** Returns the reason for the failure or the unknown outcome, as text for users. */
        String reason() {
            return answer == Frames.Answer.NOT_LEADER ? "it does not lead the quorum" : new ByteSource(body).text();
        }

        /**
         * Returns an exception with the reason why the outcome is unknown. The result is null if the outcome is known.
         */
        @Nullable
        StoreUnavailableException unknown() {
            return answer == Frames.Answer.UNKNOWN ? new StoreUnavailableException(new ByteSource(body).text()) : null;
        }
    }

    private record Waiting(String address, Frames.Request request, CompletableFuture<Answered> answered) {}

    /** Returns the reason for a failure, as a sentence for users. */
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
                    MAX_WAITING + " requests already wait for answers of the quorum, which is the limit"));
            return answered;
        }
        long number = numbers.incrementAndGet();
        waiting.put(number, new Waiting(address, request, answered));
        wire.peer(address).send(Frames.request(number, request, body));
        // Return answered, not this stage. A caller that no longer waits completes the returned future. Then this stage
        // removes the request.
        Futures.ignore(answered.whenComplete((answer, failure) -> waiting.remove(number)));
        return answered;
    }

    void answered(long number, Frames.Answer answer, byte[] body) {
        Waiting request = waiting.get(number);
        if (request != null) {
            request.answered.complete(new Answered(answer, body));
        }
    }

    /** Fails all requests to this address, because their answers cannot arrive any more. */
    void giveUp(String address, String why) {
        giveUp(each -> each.address.equals(address), why);
    }

    /** Fails all writes to processes other than this leader. Only the leader can still answer writes. */
    void giveUpOthers(String leader, String why) {
        giveUp(each -> each.request == Frames.Request.WRITE && !each.address.equals(leader), why);
    }

    private void giveUp(Predicate<Waiting> isGivenUp, String why) {
        waiting.values().stream()
                .filter(isGivenUp)
                .forEach(each -> each.answered.completeExceptionally(new StoreUnavailableException(why)));
    }
}
