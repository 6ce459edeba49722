package dev.doyen.cluster;

import dev.doyen.log.FaultLog;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Asks several addresses concurrently whether a member is there.
 *
 * <p>JGroups asks one address after the other, and an address without a machine takes a second. If such addresses come
 * first, a process finds nobody in time and creates its own cluster.
 *
 * <p>Threads: at most {@value #AT_A_TIME}, which end when they are idle. The transport's threads are not used, because
 * they receive the answers.
 */
final class DiscoveryRequests {

    /** Limit for concurrent requests. Fewer unreachable addresses than this do not delay the others. */
    static final int AT_A_TIME = 16;

    private static final long IDLE_SECONDS = 5;

    private final ThreadPoolExecutor threads;
    private final FaultLog faults = new FaultLog(System.getLogger("dev.doyen.cluster"));

    DiscoveryRequests() {
        this(task -> {
            var thread = new Thread(task, "doyen-cluster-find");
            thread.setDaemon(true);
            return thread;
        });
    }

    DiscoveryRequests(ThreadFactory factory) {
        threads = new ThreadPoolExecutor(
                AT_A_TIME,
                AT_A_TIME,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(Discovery.MAX_PEERS),
                factory,
                // The next discovery asks the dropped addresses again.
                new ThreadPoolExecutor.DiscardPolicy());
        threads.allowCoreThreadTimeOut(true);
    }

    void ask(Runnable inquiry) {
        // Without a thread the inquiry is dropped, as if all threads were busy.
        faults.survives("the start of a thread for an inquiry", () -> threads.execute(guarded(inquiry)));
    }

    private Runnable guarded(Runnable inquiry) {
        return () -> faults.survives("an inquiry", inquiry);
    }
}
