package dev.doyen.cluster;

import dev.doyen.log.FaultLog;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Sends discovery requests to several addresses concurrently.
 *
 * <p>JGroups sends the requests one after another, and a request to an address that no machine uses takes a second. If
 * such addresses come first, a process finds no other member in time and creates its own cluster.
 *
 * <p>Threads: at most {@value #AT_A_TIME} threads, which end when they are idle. The class does not use the transport's
 * threads, because those threads receive the answers.
 */
final class DiscoveryRequests {

    /**
     * The maximum number of concurrent requests. If fewer addresses than this number are unreachable, the requests to
     * the other addresses are not delayed.
     */
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
                // The next discovery sends the dropped requests again.
                new ThreadPoolExecutor.DiscardPolicy());
        threads.allowCoreThreadTimeOut(true);
    }

    void send(Runnable inquiry) {
        // If no thread can be started, the request is dropped. A request is also dropped if the queue is full.
        faults.survives("starting a thread for a discovery request", () -> threads.execute(guarded(inquiry)));
    }

    private Runnable guarded(Runnable inquiry) {
        return () -> faults.survives("an inquiry", inquiry);
    }
}
