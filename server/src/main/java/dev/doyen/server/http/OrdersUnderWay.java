package dev.doyen.server.http;

import dev.doyen.elector.ElectorResponse;
import dev.doyen.event.HandOverState;
import dev.doyen.event.Leader;
import dev.doyen.store.StoreUnavailableException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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

    /** How long an order may take, its waits for the election left out. */
    private static final long LONGEST_SECONDS = PATIENCE_SECONDS + 5;

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

    /**
     * Runs an order on one of the threads. The order returns its reply, which may come later: no thread waits for that.
     *
     * @return the reply, or one that states what went wrong. Errors: what nobody could foresee
     */
    public CompletableFuture<HttpReply> carryOut(Supplier<CompletableFuture<HttpReply>> order) {
        try {
            return settled(CompletableFuture.supplyAsync(order, threads));
        } catch (RejectedExecutionException e) {
            return CompletableFuture.completedFuture(
                    away("there are " + MAX_ORDERS + " orders under way; try again in a second"));
        } catch (Throwable e) {
            return CompletableFuture.completedFuture(
                    away("no thread could be started for the order (" + e + "); try again in a second"));
        }
    }

    /** The same for an order that other threads carry out. */
    public static CompletableFuture<HttpReply> settled(CompletableFuture<CompletableFuture<HttpReply>> order) {
        return order.completeOnTimeout(
                        CompletableFuture.completedFuture(away(NO_ANSWER)), LONGEST_SECONDS, TimeUnit.SECONDS)
                .thenCompose(reply -> reply)
                .exceptionally(fault -> failed(fault.getCause() == null ? fault : fault.getCause()));
    }

    /** True once {@code order} is done, and false if that takes longer than {@link #PATIENCE_SECONDS}. */
    public static CompletableFuture<Boolean> inTime(CompletableFuture<Void> order) {
        return order.thenApply(nothing -> true).completeOnTimeout(false, PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    public static HttpReply done(int status, String sentence) {
        return done(status, sentence, Optional.empty());
    }

    /**
     * The reply to an order that was carried out or passed on.
     *
     * @param leader the candidate that leads now, if the reply names one
     */
    public static HttpReply done(int status, String sentence, Optional<Leader> leader) {
        return ElectorSite.reply(ElectorResponse.done(status, sentence, leader));
    }

    /** The reply with what the leader saved. */
    public static HttpReply bytes(HandOverState state) {
        return new HttpReply(
                200, Map.of("Content-Type", "application/octet-stream", "Cache-Control", "no-cache"), state.bytes());
    }

    public static HttpReply refused(int status, String sentence) {
        return refused(status, sentence, Optional.empty());
    }

    /**
     * The reply to an order that cannot be carried out.
     *
     * @param leader the candidate that leads now, if the reply names one
     */
    public static HttpReply refused(int status, String sentence, Optional<Leader> leader) {
        return ElectorSite.problem(status, sentence, leader);
    }

    public static HttpReply away(String sentence) {
        return refused(503, sentence);
    }

    public static HttpReply nobodyLeads() {
        return refused(409, "nobody leads, so nobody was asked");
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
