package dev.doyen.server.http;

import dev.doyen.elector.ElectorResponse;
import dev.doyen.event.Leader;
import dev.doyen.store.StoreUnavailableException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The orders that are being carried out, and what is said of them.
 *
 * <p>Threads: its own, at most {@value #MAX_ORDERS}, for orders wait for the store; one too many is refused.
 */
public final class OrdersUnderWay {

    /** How long an order waits for the store. */
    public static final long PATIENCE_SECONDS = 10;

    private static final int MAX_ORDERS = 4;
    private static final String NO_ANSWER = "the store gives no answer; whether the order is written is not known";

    private final ThreadPoolExecutor threads;

    public OrdersUnderWay() {
        this(Thread::new);
    }

    OrdersUnderWay(ThreadFactory factory) {
        threads = new ThreadPoolExecutor(0, MAX_ORDERS, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
            Thread thread = factory.newThread(task);
            thread.setName("doyen-order");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Runs it on one of the threads. */
    public CompletableFuture<HttpReply> supply(Supplier<HttpReply> order) {
        try {
            return CompletableFuture.supplyAsync(order, threads);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.completedFuture(
                    away("there are " + MAX_ORDERS + " orders under way; try again in a second"));
        } catch (Throwable e) {
            return CompletableFuture.completedFuture(
                    away("no thread could be started for the order (" + e + "); try again in a second"));
        }
    }

    /** The order's reply, or one that says within this time what went wrong. Errors: what nobody could foresee. */
    public static CompletionStage<HttpReply> settled(CompletableFuture<HttpReply> order, long withinSeconds) {
        return order.exceptionally(fault -> failed(fault.getCause() == null ? fault : fault.getCause()))
                .completeOnTimeout(away(NO_ANSWER), withinSeconds, TimeUnit.SECONDS);
    }

    public static HttpReply done(int status, String sentence) {
        return ElectorSite.reply(ElectorResponse.done(status, sentence));
    }

    public static HttpReply refused(int status, String sentence) {
        return ElectorSite.problem(status, sentence);
    }

    public static HttpReply away(String sentence) {
        return refused(503, sentence);
    }

    /** Whoever leads was asked through the record; or nobody was, for nobody leads. */
    public static HttpReply asked(Optional<Leader> leader, String what) {
        return leader.map(asked -> done(202, "\"" + asked.id() + "\" (term " + asked.term() + ") is asked to " + what))
                .orElseGet(() -> refused(409, "nobody leads, so nobody was asked"));
    }

    private static HttpReply failed(Throwable fault) {
        if (fault instanceof IllegalArgumentException) {
            return refused(400, String.valueOf(fault.getMessage()));
        }
        if (fault instanceof StoreUnavailableException) {
            return away(NO_ANSWER + ": " + fault.getMessage());
        }
        throw new CompletionException(fault);
    }
}
