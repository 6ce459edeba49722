package dev.doyen.elector.http;

import dev.doyen.elector.ElectorResponse;
import dev.doyen.event.Leader;
import dev.doyen.event.SavedState;
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
 * Runs admin commands on its own threads, and builds their replies.
 *
 * <p>Threads: at most {@value #MAX_ORDERS}, because commands wait for the store. Further commands are rejected.
 */
public final class PendingAdminCommands {

    /** How long a command waits for the store. */
    public static final long PATIENCE_SECONDS = 10;

    /** How long a command may take, without its waits for the election. */
    private static final long LONGEST_SECONDS = PATIENCE_SECONDS + 5;

    private static final int MAX_ORDERS = 4;
    private static final String NO_ANSWER = "the store gives no answer; whether the order is written is not known";

    private final ThreadPoolExecutor threads;

    public PendingAdminCommands() {
        this(Thread::new);
    }

    PendingAdminCommands(ThreadFactory factory) {
        threads = new ThreadPoolExecutor(0, MAX_ORDERS, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
            Thread thread = factory.newThread(task);
            thread.setName("doyen-order");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Runs a command on one of the threads.
     *
     * <p>The command returns a reply that may complete later; no thread waits for it.
     *
     * @return the reply, or an error response; the future fails only with an unexpected exception
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

    /** Like {@link #carryOut}, for a command that already runs on other threads. */
    public static CompletableFuture<HttpReply> settled(CompletableFuture<CompletableFuture<HttpReply>> order) {
        return order.completeOnTimeout(
                        CompletableFuture.completedFuture(away(NO_ANSWER)), LONGEST_SECONDS, TimeUnit.SECONDS)
                .thenCompose(reply -> reply)
                .exceptionally(fault -> failed(fault.getCause() == null ? fault : fault.getCause()));
    }

    /** Completes with true when {@code order} is done, or with false after {@link #PATIENCE_SECONDS}. */
    public static CompletableFuture<Boolean> inTime(CompletableFuture<Void> order) {
        return order.thenApply(nothing -> true).completeOnTimeout(false, PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    public static HttpReply done(int status, String sentence) {
        return done(status, sentence, Optional.empty());
    }

    /**
     * The reply to a command that was carried out or passed on.
     *
     * @param leader the current leader, if the reply names it
     */
    public static HttpReply done(int status, String sentence, Optional<Leader> leader) {
        return ElectorHandler.reply(ElectorResponse.done(status, sentence, leader));
    }

    /** The reply that contains the saved state. */
    public static HttpReply bytes(SavedState state) {
        return new HttpReply(
                200, Map.of("Content-Type", "application/octet-stream", "Cache-Control", "no-cache"), state.bytes());
    }

    public static HttpReply refused(int status, String sentence) {
        return refused(status, sentence, Optional.empty());
    }

    /**
     * The reply to a command that cannot be carried out.
     *
     * @param leader the current leader, if the reply names it
     */
    public static HttpReply refused(int status, String sentence, Optional<Leader> leader) {
        return ElectorHandler.problem(status, sentence, leader);
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
