package dev.doyen.stores.quorum;

import dev.doyen.store.StoreUnavailableException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The requests of this process that have no answer yet. A request is sent once.
 *
 * <p>Threads: any.
 */
final class Requests {

    /** More requests than this do not wait for answers at a time. */
    static final int MAX_WAITING = 10_000;

    /** An answer with its body. The request decides what the body holds. */
    static final class Answered {

        static final Answered NOT_LEADER = new Answered(Frames.Answer.NOT_LEADER, new byte[0]);

        private final Frames.Answer answer;
        private final byte[] body;

        static Answered done(byte[] body) {
            return new Answered(Frames.Answer.DONE, body);
        }

        /** @param why a sentence for people */
        static Answered unknown(String why) {
            return new Answered(Frames.Answer.UNKNOWN, new ByteSink().text(why).bytes());
        }

        /** @param why a sentence for people */
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

        /** Why the request was not carried out, or may not have been; a part of a sentence. */
        String reason() {
            return answer == Frames.Answer.NOT_LEADER ? "it does not lead the quorum" : new ByteSource(body).text();
        }

        /** Why it is not known whether the request was carried out; null if it is known. */
        @Nullable
        StoreUnavailableException unknown() {
            return answer == Frames.Answer.UNKNOWN ? new StoreUnavailableException(new ByteSource(body).text()) : null;
        }
    }

    private record Waiting(String address, CompletableFuture<Answered> answered) {}

    /** What went wrong, as a sentence for people. */
    static String reason(Throwable failure) {
        boolean isWrapped = failure instanceof CompletionException || failure instanceof ExecutionException;
        Throwable cause = failure.getCause();
        return String.valueOf((isWrapped && cause != null ? cause : failure).getMessage());
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
        waiting.put(number, new Waiting(address, answered));
        wire.peer(address).send(Frames.request(number, request, body));
        return answered.whenComplete((answer, failure) -> waiting.remove(number));
    }

    void answered(long number, Frames.Answer answer, byte[] body) {
        Waiting request = waiting.get(number);
        if (request != null) {
            request.answered.complete(new Answered(answer, body));
        }
    }

    /** The process at this address does not answer any more what it was asked before. */
    void giveUp(String address, String why) {
        giveUp(address::equals, why);
    }

    /** Only this process can still answer. */
    void giveUpOthers(String leader, String why) {
        giveUp(address -> !address.equals(leader), why);
    }

    private void giveUp(Predicate<String> isGivenUp, String why) {
        waiting.values().stream()
                .filter(each -> isGivenUp.test(each.address))
                .forEach(each -> each.answered.completeExceptionally(new StoreUnavailableException(why)));
    }
}
