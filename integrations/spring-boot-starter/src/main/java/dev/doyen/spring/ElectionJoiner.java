package dev.doyen.spring;

import dev.doyen.event.Explanation;
import dev.doyen.event.Explanation.Reason;
import dev.doyen.store.StoreRefusedException;
import dev.doyen.store.StoreUnavailableException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Joins elections, and repeats this while their store cannot be opened.
 *
 * <p>One daemon thread makes all attempts. It exists only while an election is due, which means that it has to be
 * joined. Between two attempts the thread waits for {@link #PAUSE}. So a store receives few attempts even if it rejects
 * each attempt at once.
 *
 * <p>Threads: any.
 */
final class ElectionJoiner {

    /** The time between two attempts. */
    static final Duration PAUSE = Duration.ofSeconds(5);

    /** How long the start of the application waits for the first attempt. */
    static final Duration FIRST_ATTEMPT = Duration.ofSeconds(10);

    /** The number of attempts after which the log repeats a fault. With {@link #PAUSE} this is at least a minute. */
    static final int ATTEMPTS_PER_REMINDER = 12;

    private static final System.Logger LOG = System.getLogger("dev.doyen.spring");

    private final Consumer<String> join;
    private final Waiting waiting;

    /** The names of the due elections, with the fault of the last attempt. */
    private final Map<String, Throwable> due = new TreeMap<>();

    private @Nullable Attempts attempts;
    private long dueSince;

    /** Waits until the latch is counted down, but at most for this time. Returns true if the latch was counted down. */
    interface Waiting {
        boolean await(CountDownLatch stopped, Duration time) throws InterruptedException;
    }

    ElectionJoiner(Consumer<String> join) {
        this(join, (stopped, time) -> stopped.await(time.toNanos(), TimeUnit.NANOSECONDS));
    }

    /** @param join joins one election; throws {@link StoreUnavailableException} if the store cannot be opened */
    ElectionJoiner(Consumer<String> join, Waiting waiting) {
        this.join = join;
        this.waiting = waiting;
    }

    /**
     * Joins these elections. The method returns after the first attempt, and at the latest after {@code atMost}. If
     * the store is unavailable until then, the method logs this, and later attempts follow.
     *
     * @throws StoreRefusedException if a right is missing, because no later attempt would help
     * @throws RuntimeException if an election cannot be joined for another reason than an unavailable store
     */
    void joinAll(List<String> names, Duration atMost) {
        if (!names.isEmpty()) {
            var notEnded = new StoreUnavailableException("the first attempt has not ended yet");
            awaitFirst(add(names, notEnded, false), atMost);
        }
    }

    /** Joins this election later, because its store is unavailable. */
    void joinLater(String name, StoreUnavailableException why) {
        add(List.of(name), why, true).log(why);
    }

    /** Makes no further attempt for this election. */
    synchronized void forget(String name) {
        due.remove(name);
    }

    synchronized boolean isDue(String name) {
        return due.containsKey(name);
    }

    /** Makes no further attempts, and interrupts the present attempt. The method does not wait for its end. */
    synchronized void stop() {
        due.clear();
        if (attempts != null) {
            attempts.stop();
            attempts = null;
        }
    }

    /** Explains why this election is not joined yet; empty if the election is not due. */
    synchronized Optional<Explanation> explain(String name) {
        return Optional.ofNullable(due.get(name))
                .map(fault -> new Explanation(
                        fault instanceof StoreRefusedException ? Reason.STORE_REFUSES : Reason.STORE_AWAY,
                        "the store could not be opened yet, so this application has not joined the election: "
                                + sentence(fault)));
    }

    /** Returns for how long an election has been due; empty if no election is due. */
    synchronized Optional<Duration> dueFor() {
        return due.isEmpty() ? Optional.empty() : Optional.of(Duration.ofNanos(System.nanoTime() - dueSince));
    }

    /** Adds due elections, and starts the thread if it does not run. */
    private synchronized Attempts add(List<String> names, Throwable fault, boolean afterPause) {
        if (due.isEmpty()) {
            dueSince = System.nanoTime();
        }
        names.forEach(name -> due.put(name, fault));
        Attempts running = attempts;
        if (running == null) {
            running = new Attempts(afterPause);
            running.thread.start();
            attempts = running;
        }
        return running;
    }

    private static void awaitFirst(Attempts running, Duration atMost) {
        try {
            running.first.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            if (running.first.complete(false)) {
                running.log(new StoreUnavailableException("it did not answer within " + atMost.toMillis() + " ms"));
            } else {
                // The attempt has ended at the same time.
                awaitFirst(running, atMost);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            running.first.complete(false);
        } catch (ExecutionException e) {
            throw unchecked(e);
        }
    }

    private static RuntimeException unchecked(ExecutionException failed) {
        if (failed.getCause() instanceof Error error) {
            throw error;
        }
        return failed.getCause() instanceof RuntimeException thrown ? thrown : new CompletionException(failed);
    }

    private synchronized List<String> names() {
        return List.copyOf(due.keySet());
    }

    /** Notes the fault of an attempt. All elections have the same store, so they also have its faults. */
    private synchronized void note(String name, Throwable fault) {
        if (fault instanceof StoreUnavailableException) {
            due.replaceAll((each, before) -> fault);
        } else {
            due.replace(name, fault);
        }
    }

    /** Returns true if these attempts have ended, because no election is due or because they were stopped. */
    private synchronized boolean endIfDone(Attempts ending) {
        if (due.isEmpty() && attempts == ending) {
            attempts = null;
        }
        return attempts != ending;
    }

    private static String sentence(Throwable fault) {
        return fault instanceof StoreUnavailableException ? String.valueOf(fault.getMessage()) : fault.toString();
    }

    /** The attempts of one thread. */
    private final class Attempts {

        /** Completes after the first attempt. It completes with an exception if the start of the application fails. */
        final CompletableFuture<Boolean> first = new CompletableFuture<>();

        final Thread thread = new Thread(this::run, "doyen-joining");
        private final CountDownLatch stopped = new CountDownLatch(1);
        private final boolean afterPause;

        /** The kind of the fault that was logged last; null if none was logged. */
        private volatile @Nullable Class<?> logged;

        private int repeated;

        Attempts(boolean afterPause) {
            this.afterPause = afterPause;
            thread.setDaemon(true);
            if (afterPause) {
                first.complete(false);
            }
        }

        void stop() {
            stopped.countDown();
            thread.interrupt();
        }

        void log(Throwable fault) {
            logged = fault.getClass();
            LOG.log(
                    Level.WARNING,
                    "the store could not be opened, so this application has not joined the elections "
                            + String.join(", ", names()) + ": " + sentence(fault) + "; it tries again every "
                            + PAUSE.toSeconds() + " s. Set doyen.fail-fast=true if the application must not start"
                            + " without its store",
                    fault instanceof StoreUnavailableException ? null : fault);
        }

        private void run() {
            try {
                if (afterPause && waiting.await(stopped, PAUSE)) {
                    return;
                }
                do {
                    tryAll();
                    first.complete(true);
                } while (!endIfDone(this) && !waiting.await(stopped, PAUSE));
            } catch (InterruptedException e) {
                // The application stops.
            }
        }

        /** Joins the due elections in turn. If the store is unavailable, the others of them would fail too. */
        private void tryAll() {
            for (String name : names()) {
                if (!isDue(name)) {
                    continue;
                }
                try {
                    join.accept(name);
                    forget(name);
                    if (logged != null) {
                        LOG.log(Level.INFO, "election=" + name + " joined, because the store could be opened");
                    }
                } catch (Throwable e) {
                    if (!isDue(name)) {
                        continue;
                    }
                    failed(name, e);
                    if (e instanceof StoreUnavailableException) {
                        return;
                    }
                }
            }
        }

        private void failed(String name, Throwable fault) {
            note(name, fault);
            boolean isAway = fault instanceof StoreUnavailableException && !(fault instanceof StoreRefusedException);
            if (!isAway && first.completeExceptionally(fault)) {
                ElectionJoiner.this.stop();
            } else if (!fault.getClass().equals(logged) || ++repeated % ATTEMPTS_PER_REMINDER == 0) {
                log(fault);
            }
        }
    }
}
