package dev.doyen.cluster;

import dev.doyen.store.FaultLog;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Asks several addresses at a time whether a member is there. JGroups asks one after the other, and an address where no machine
 * is takes a second: who asks those first finds nobody within the time it waits, and begins a cluster of its own.
 *
 * <p>Threads: {@value #AT_A_TIME} of its own at most, which end when there is nothing to ask. Not those of the transport,
 * which hear the answers.
 */
final class Inquiries {

    /** So many addresses where nobody answers hold nobody up. */
    static final int AT_A_TIME = 16;

    private static final long IDLE_SECONDS = 5;

    private final ThreadPoolExecutor threads;
    private final FaultLog faults = new FaultLog(System.getLogger("dev.doyen.cluster"));

    Inquiries() {
        this(task -> {
            var thread = new Thread(task, "doyen-cluster-find");
            thread.setDaemon(true);
            return thread;
        });
    }

    Inquiries(ThreadFactory factory) {
        threads = new ThreadPoolExecutor(
                AT_A_TIME,
                AT_A_TIME,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(Discovery.MAX_PEERS),
                factory,
                // Who was not asked is asked the next time.
                new ThreadPoolExecutor.DiscardPolicy());
        threads.allowCoreThreadTimeOut(true);
    }

    void ask(Runnable inquiry) {
        // Without a thread it is not asked now, as if all were busy.
        faults.survives("the start of a thread for an inquiry", () -> threads.execute(guarded(inquiry)));
    }

    private Runnable guarded(Runnable inquiry) {
        return () -> faults.survives("an inquiry", inquiry);
    }
}
