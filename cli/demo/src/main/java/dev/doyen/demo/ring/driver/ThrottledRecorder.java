package dev.doyen.demo.ring.driver;

import dev.doyen.demo.ring.RecordedWorld;
import dev.doyen.demo.ring.RecordingJson;
import dev.doyen.demo.ring.RecordingParameters;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Makes recordings one at a time. After each recording, the recorder pauses for as long as the recording took.
 *
 * <p>Therefore a client that requests recordings in a loop uses at most half a core.
 *
 * <p>Threads: the recorder has one thread, which ends when it is idle. {@link #make} may be called from any thread.
 */
final class ThrottledRecorder {

    /** The maximum number of waiting requests; further requests are rejected. */
    static final int MAX_WAITING = 8;

    private static final long IDLE_SECONDS = 5;

    private final ThreadPoolExecutor maker = new ThreadPoolExecutor(
            1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MAX_WAITING), ThrottledRecorder::thread);

    ThrottledRecorder() {
        maker.allowCoreThreadTimeOut(true);
    }

    /**
     * Makes a recording and returns its JSON text, encoded in UTF-8.
     *
     * @throws java.util.concurrent.RejectedExecutionException if too many requests wait
     */
    CompletableFuture<byte[]> make(RecordingParameters plan) {
        var made = new CompletableFuture<byte[]>();
        maker.execute(() -> {
            long began = System.nanoTime();
            try {
                made.complete(RecordingJson.of(RecordedWorld.run(plan)).getBytes(StandardCharsets.UTF_8));
            } catch (RuntimeException | Error e) {
                made.completeExceptionally(e);
            }
            LockSupport.parkNanos(System.nanoTime() - began);
        });
        return made;
    }

    private static Thread thread(Runnable work) {
        var thread = new Thread(work, "doyen-picture");
        thread.setDaemon(true);
        return thread;
    }
}
