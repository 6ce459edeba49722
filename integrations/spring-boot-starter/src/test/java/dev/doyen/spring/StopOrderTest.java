package dev.doyen.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.testkit.FakeElection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** Tests the order in which the parts of a leading application stop. */
@Timeout(180)
class StopOrderTest {

    /** The phase in which Boot's web servers stop accepting requests and drain. */
    private static final int WEB_SERVER_DRAINS = SmartLifecycle.DEFAULT_PHASE - 1024;

    private static final List<String> EVENTS = new CopyOnWriteArrayList<>();

    @Test
    void work_ends_before_the_leadership_then_the_web_server_then_the_pools() {
        stopWhileWorking(
                "30s",
                StopOrderTest::onceItIsWaitedFor,
                "work ended by itself",
                "revoked CLOSED",
                "web server drained",
                "pool closed");
    }

    /** The application waits for the work at most until Spring's timeout for a phase. */
    @Test
    void work_that_does_not_end_is_interrupted() {
        stopWhileWorking(
                "0s", mayEnd -> {}, "work was interrupted", "revoked CLOSED", "web server drained", "pool closed");
    }

    private static void stopWhileWorking(String patience, Consumer<CountDownLatch> theWorkEnds, String... expected) {
        EVENTS.clear();
        var began = new CountDownLatch(1);
        var mayEnd = new CountDownLatch(1);
        try (var fake = FakeElection.named("orders")) {
            new ApplicationContextRunner()
                    .withConfiguration(
                            AutoConfigurations.of(DoyenAutoConfiguration.class, TaskSchedulingAutoConfiguration.class))
                    .withPropertyValues(LeaderElections.PATIENCE + "=" + patience)
                    .withUserConfiguration(Scheduling.class)
                    .withBean(ElectionSource.class, () -> new Fakes(fake))
                    .withBean(Pool.class)
                    .withBean(
                            "web",
                            SmartLifecycle.class,
                            () -> new Stopping(WEB_SERVER_DRAINS, () -> {
                                EVENTS.add("web server drained");
                            }))
                    .withBean(Job.class, () -> new Job(began, mayEnd))
                    .run(context -> {
                        fake.grant();
                        assertThat(began.await(60, TimeUnit.SECONDS)).isTrue();
                        theWorkEnds.accept(mayEnd);
                    });
            assertThat(fake.leader()).isEmpty();
        }
        assertThat(EVENTS).containsExactly(expected);
    }

    /**
     * Ends the work after the application has started to wait for the work.
     *
     * <p>If the application left the election without waiting, leaving would interrupt and end the work.
     */
    private static void onceItIsWaitedFor(CountDownLatch mayEnd) {
        var watching = new Thread(() -> {
            while (mayEnd.getCount() > 0) {
                if (Thread.getAllStackTraces().keySet().stream().anyMatch(StopOrderTest::waitsForSomeTime)) {
                    mayEnd.countDown();
                }
                LockSupport.parkNanos(1_000_000);
            }
        });
        watching.setDaemon(true);
        watching.start();
    }

    private static boolean waitsForSomeTime(Thread thread) {
        return thread.getName().equals("doyen-leaving") && thread.getState() == Thread.State.TIMED_WAITING;
    }

    @Configuration
    @EnableScheduling
    static class Scheduling {}

    static class Job {
        private final CountDownLatch began;
        private final CountDownLatch mayEnd;

        Job(CountDownLatch began, CountDownLatch mayEnd) {
            this.began = began;
            this.mayEnd = mayEnd;
        }

        @Scheduled(fixedDelay = 1)
        @LeaderOnly("orders")
        public void work() {
            if (began.getCount() == 0) {
                return;
            }
            began.countDown();
            try {
                mayEnd.await();
                EVENTS.add("work ended by itself");
            } catch (InterruptedException e) {
                EVENTS.add("work was interrupted");
                mayEnd.countDown();
            }
        }

        @EventListener
        public void on(RevokedEvent event) {
            EVENTS.add("revoked " + event.cause());
        }
    }

    static class Pool implements AutoCloseable {
        @Override
        public void close() {
            EVENTS.add("pool closed");
        }
    }
}
