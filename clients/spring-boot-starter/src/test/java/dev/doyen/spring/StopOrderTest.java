package dev.doyen.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.testkit.FakeElection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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

/** What stops after what, when an application that leads is closed. */
@Timeout(60)
class StopOrderTest {

    /** Where Boot's web servers stop taking requests, and drain. */
    private static final int WEB_SERVER_DRAINS = SmartLifecycle.DEFAULT_PHASE - 1024;

    private static final List<String> WORDS = new CopyOnWriteArrayList<>();

    @Test
    void scheduled_work_ends_then_the_leadership_then_the_web_server_and_then_the_pools() {
        WORDS.clear();
        var release = new CountDownLatch(1);
        try (var fake = FakeElection.named("orders")) {
            new ApplicationContextRunner()
                    .withConfiguration(
                            AutoConfigurations.of(DoyenAutoConfiguration.class, TaskSchedulingAutoConfiguration.class))
                    .withUserConfiguration(Scheduling.class)
                    .withBean(ElectionSource.class, () -> new Fakes(fake))
                    .withBean(Pool.class)
                    .withBean(
                            "web",
                            SmartLifecycle.class,
                            () -> new Stopping(WEB_SERVER_DRAINS, () -> {
                                WORDS.add("web server drained");
                            }))
                    // Stops together with the schedulers, which wait for what they run.
                    .withBean(
                            "releaser",
                            SmartLifecycle.class,
                            () -> new Stopping(SmartLifecycle.DEFAULT_PHASE, release::countDown))
                    .withBean(Job.class, () -> new Job(release))
                    .run(context -> {
                        fake.grant();
                        assertThat(Job.BEGAN.await(20, TimeUnit.SECONDS)).isTrue();
                    });
            assertThat(fake.leader()).isEmpty();
        }
        assertThat(WORDS)
                .containsExactly("work ended by itself", "revoked CLOSED", "web server drained", "pool closed");
    }

    @Configuration
    @EnableScheduling
    static class Scheduling {}

    static class Job {
        static final CountDownLatch BEGAN = new CountDownLatch(1);

        private final CountDownLatch release;

        Job(CountDownLatch release) {
            this.release = release;
        }

        @Scheduled(fixedDelay = 1)
        @LeaderOnly("orders")
        public void work() {
            if (BEGAN.getCount() == 0) {
                return;
            }
            BEGAN.countDown();
            try {
                release.await();
                WORDS.add("work ended by itself");
            } catch (InterruptedException e) {
                WORDS.add("work was interrupted");
            }
        }

        @EventListener
        public void on(RevokedEvent event) {
            WORDS.add("revoked " + event.cause());
        }
    }

    static class Pool implements AutoCloseable {
        @Override
        public void close() {
            WORDS.add("pool closed");
        }
    }
}
