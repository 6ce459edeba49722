package dev.doyen.driver;

import dev.doyen.log.FaultLog;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Closes the open elections when the JVM shuts down (docs/decisions/0063).
 *
 * <p>All elections of a process share one hook. The hook is registered in the JVM while at least one election is open.
 * At the shutdown it closes all elections at the same time, each on its own thread. So a task that does not stop
 * delays only its own election. The JVM ends when all elections are closed, or after {@value #LIMIT_SECONDS} s.
 *
 * <p>Threads: any.
 */
public final class ShutdownHook {

    /** The maximum time for which the hook delays the end of the JVM. */
    static final int LIMIT_SECONDS = 30;

    /** The hook of this JVM. */
    public static final ShutdownHook OF_JVM = new ShutdownHook(
            Duration.ofSeconds(LIMIT_SECONDS),
            Runtime.getRuntime()::addShutdownHook,
            Runtime.getRuntime()::removeShutdownHook);

    private static final System.Logger LOG = System.getLogger("dev.doyen");

    private final Duration limit;
    private final Consumer<Thread> register;
    private final Consumer<Thread> unregister;
    private final FaultLog faults = new FaultLog(LOG);

    /** The open elections. The keys are compared by identity, because equal keys can belong to different elections. */
    private final IdentityHashMap<Object, OpenElection> open = new IdentityHashMap<>();

    /** The thread that the JVM starts at the shutdown; null if no election is open. */
    private @Nullable Thread registered;

    private boolean running;

    /**
     * @param limit the maximum time for which {@code run} waits
     * @param register the function that registers a hook in the JVM; throws {@link IllegalStateException} if the JVM is
     *     shutting down
     * @param unregister the function that removes this hook; throws {@link IllegalStateException} if the JVM is
     *     shutting down
     */
    ShutdownHook(Duration limit, Consumer<Thread> register, Consumer<Thread> unregister) {
        this.limit = limit;
        this.register = register;
        this.unregister = unregister;
    }

    /**
     * Adds an open election.
     *
     * @param key the object with which {@link #remove} removes the election
     * @param name the name of the election in log lines and messages
     * @param election the election that the hook closes
     * @throws IllegalStateException if the JVM is shutting down. The hook would possibly not close the election, and
     *     its candidate could lead until the JVM ends
     */
    public synchronized void add(Object key, String name, AutoCloseable election) {
        if (running) {
            throw shuttingDown(name);
        }
        if (registered == null) {
            // The thread inherits no thread locals and no class loader, because the caller's values must not stay
            // reachable.
            var hook = new Thread(null, this::run, "doyen-shutdown", 0, false);
            hook.setContextClassLoader(ShutdownHook.class.getClassLoader());
            try {
                register.accept(hook);
            } catch (IllegalStateException e) {
                throw shuttingDown(name);
            }
            registered = hook;
        }
        open.put(key, new OpenElection(name, election));
    }

    /** Removes an election that is closed. The call has no effect if the hook does not know the key. */
    public synchronized void remove(Object key) {
        Thread hook = registered;
        if (open.remove(key) == null || !open.isEmpty() || hook == null) {
            return;
        }
        try {
            unregister.accept(hook);
            registered = null;
        } catch (IllegalStateException e) {
            // The JVM is shutting down. The hook has no election to close.
        }
    }

    /** Returns true if the hook would close this election. */
    @SuppressWarnings("ReferenceEquality") // Each election object counts separately, even if equals() returns true.
    public synchronized boolean closes(AutoCloseable election) {
        return open.values().stream().anyMatch(each -> each.election == election);
    }

    /**
     * Returns true if {@code thread} is the calling thread, or waits in {@link System#exit} for the end of the hooks.
     *
     * <p>A call that closes an election does not wait for work on such a thread, because the thread itself waits for
     * this call.
     */
    public static boolean waitsForCaller(@Nullable Thread thread) {
        if (thread == null) {
            return false;
        }
        if (thread.equals(Thread.currentThread())) {
            return true;
        }
        // The first thread in System.exit waits for the hooks. Other threads in System.exit wait for a lock. The state
        // of such a thread is not checked, because a thread that is about to wait is still RUNNABLE.
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals("java.lang.Shutdown"));
    }

    private void run() {
        List<OpenElection> closing;
        synchronized (this) {
            running = true;
            closing = List.copyOf(open.values());
        }
        var remaining = new CountDownLatch(closing.size());
        closing.forEach(each -> start(() -> close(each, remaining)));
        try {
            if (!remaining.await(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                LOG.log(
                        Level.WARNING,
                        remaining.getCount() + " elections are not closed after " + limit.toSeconds()
                                + " s; the JVM ends, and other candidates can lead after the ttl");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void close(OpenElection closing, CountDownLatch remaining) {
        try {
            closing.election.close();
        } catch (Throwable e) {
            faults.report("closing " + closing.name + " at the shutdown of the JVM", e);
        } finally {
            remaining.countDown();
        }
    }

    /** Runs {@code close} on a new thread, or on the calling thread if no thread can be started. */
    private static void start(Runnable close) {
        try {
            new Thread(close, "doyen-close").start();
        } catch (OutOfMemoryError e) {
            close.run();
        }
    }

    private static IllegalStateException shuttingDown(String name) {
        return new IllegalStateException(name + " cannot be opened, because the JVM is shutting down; to open it"
                + " nevertheless, set closeOnShutdown(false) and close it yourself");
    }

    private record OpenElection(String name, AutoCloseable election) {}
}
