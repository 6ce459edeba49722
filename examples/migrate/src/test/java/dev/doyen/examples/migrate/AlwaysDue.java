package dev.doyen.examples.migrate;

import java.util.concurrent.locks.LockSupport;
import org.springframework.context.ConfigurableApplicationContext;

/** A scheduler whose job is always due. The scheduler stops before its application, as Spring's scheduler does. */
final class AlwaysDue implements AutoCloseable {

    private static final long PAUSE_NANOS = 1_000_000;

    private final ConfigurableApplicationContext application;
    private final Thread thread;
    private volatile boolean ended;

    interface Job {
        void run() throws Exception;
    }

    AlwaysDue(ConfigurableApplicationContext application, Job job) {
        this.application = application;
        thread = new Thread(() -> run(job), "always due");
        thread.start();
    }

    @Override
    public void close() throws InterruptedException {
        ended = true;
        thread.join();
        application.close();
    }

    private void run(Job job) {
        while (!ended) {
            try {
                job.run();
            } catch (Exception e) {
                throw new IllegalStateException("the job failed", e);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
