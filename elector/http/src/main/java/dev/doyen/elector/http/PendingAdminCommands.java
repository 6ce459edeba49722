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
 * <p>Threads: a command occupies one thread while it waits for the store. At most {@value #MAX_COMMANDS} commands run
 * at once. Further commands are rejected.
 */
public final class PendingAdminCommands {

    /** The maximum time for which a command waits for the store. */
    public static final long PATIENCE_SECONDS = 10;

    /** The maximum time of a command, without its wait for a leader. */
    private static final long LONGEST_SECONDS = PATIENCE_SECONDS + 5;

    private static final int MAX_COMMANDS = 4;
    private static final String NO_ANSWER = "the store does not answer; whether the command was written is not known";

    private final ThreadPoolExecutor threads;

    public PendingAdminCommands() {
        this(Thread::new);
    }

    PendingAdminCommands(ThreadFactory factory) {
        threads = new ThreadPoolExecutor(0, MAX_COMMANDS, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
            Thread thread = factory.newThread(task);
            thread.setName("doyen-admin-command");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Runs a command on one of the threads.
     *
     * <p>The command returns a reply that can complete later. No thread waits for this reply.
     *
     * @return the reply, or an error response; the future fails only with an unexpected exception
     */
    public CompletableFuture<HttpReply> carryOut(Supplier<CompletableFuture<HttpReply>> order) {
        try {
            return settled(CompletableFuture.supplyAsync(order, threads));
        } catch (RejectedExecutionException e) {
            return CompletableFuture.completedFuture(
                    away("there are " + MAX_COMMANDS + " pending admin commands; try again in a second"));
        } catch (Throwable e) {
            return CompletableFuture.completedFuture(
                    away("no thread could be started for the command (" + e + "); try again in a second"));
        }
    }

    /** Builds the reply as {@link #carryOut} does, for a command that already runs on other threads. */
    public static CompletableFuture<HttpReply> settled(CompletableFuture<CompletableFuture<HttpReply>> order) {
        return order.completeOnTimeout(
                        CompletableFuture.completedFuture(away(NO_ANSWER)), LONGEST_SECONDS, TimeUnit.SECONDS)
                .thenCompose(reply -> reply)
                .exceptionally(fault -> failed(fault.getCause() == null ? fault : fault.getCause()));
    }

    /** Returns a future that states whether {@code order} completes within {@link #PATIENCE_SECONDS}. */
    public static CompletableFuture<Boolean> inTime(CompletableFuture<Void> order) {
        return order.thenApply(nothing -> true).completeOnTimeout(false, PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    public static HttpReply done(int status, String sentence) {
        return done(status, sentence, Optional.empty());
    }

    /**
     * Returns the reply to a command that was carried out or accepted.
     *
     * @param leader the leader that the reply reports; empty if the reply does not report a leader
     */
    public static HttpReply done(int status, String sentence, Optional<Leader> leader) {
        return ElectorHandler.reply(ElectorResponse.done(status, sentence, leader));
    }

    /** Returns the reply that contains the saved state. */
    public static HttpReply bytes(SavedState state) {
        return new HttpReply(
                200, Map.of("Content-Type", "application/octet-stream", "Cache-Control", "no-cache"), state.bytes());
    }

    public static HttpReply refused(int status, String sentence) {
        return refused(status, sentence, Optional.empty());
    }

    /**
     * Returns the reply to a command that cannot be carried out.
     *
     * @param leader the leader that the reply reports; empty if the reply does not report a leader
     */
    public static HttpReply refused(int status, String sentence, Optional<Leader> leader) {
        return ElectorHandler.problem(status, sentence, leader);
    }

    /** Returns a reply with status 503: the program cannot carry out the command now. */
    public static HttpReply away(String sentence) {
        return refused(503, sentence);
    }

    /** Returns a reply with status 409: the election has no leader. */
    public static HttpReply nobodyLeads() {
        return refused(409, "no candidate leads, so no command was sent");
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
