package dev.doyen.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.election.Candidate;
import dev.doyen.election.LeaseTiming;
import dev.doyen.event.LossCause;
import dev.doyen.testkit.FakeElection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Tests a thousand seeded failovers between two applications.
 *
 * <p>Threads of both applications continuously call a {@link LeaderOnly} method. The elections use a virtual clock,
 * so that no leadership expires because of a slow machine. The work runs on real threads.
 */
@Timeout(120)
class FailOverTest {

    private static final int FAIL_OVERS = 1_000;
    private static final int THREADS_EACH = 2;

    /** A timing without a cooldown, with which a candidate that has stepped down can lead again at once. */
    private static final LeaseTiming AT_ONCE =
            LeaseTiming.ofTtl(LeaseTiming.DEFAULT_TTL).withResignCooldown(Duration.ZERO);

    @Test
    void a_leader_only_method_never_runs_twice_at_a_time_nor_under_a_lower_term() throws Exception {
        var resource = new Resource();
        var stop = new AtomicBoolean();
        List<Thread> callers = new ArrayList<>();
        try (var fake = FakeElection.named("orders", AT_ONCE)) {
            runner(fake, resource, "a")
                    .run(a -> runner(fake, resource, "b").run(b -> {
                        for (ConfigurableApplicationContext context :
                                List.of(a.getSourceApplicationContext(), b.getSourceApplicationContext())) {
                            for (int i = 0; i < THREADS_EACH; i++) {
                                callers.add(call(context.getBean(Job.class), stop));
                            }
                        }
                        direct(
                                fake,
                                resource,
                                List.of(a.getBean(LeaderElections.class), b.getBean(LeaderElections.class)));
                        stop.set(true);
                        for (Thread caller : callers) {
                            caller.join();
                        }
                    }));
        }
        assertThat(resource.faults).isEmpty();
        assertThat(resource.terms.get()).as("terms in which work was done").isGreaterThan(FAIL_OVERS / 2);
    }

    private static void direct(FakeElection fake, Resource resource, List<LeaderElections> applications)
            throws InterruptedException {
        var random = new Random(42_026);
        for (int i = 0; i < FAIL_OVERS; i++) {
            LeaderElections next = applications.get(random.nextInt(applications.size()));
            Candidate<?> candidate = next.join("orders").orElseThrow();
            Refusals.local(candidate).resume();
            int before = resource.runs.get();
            fake.grant(candidate);
            if (random.nextInt(4) > 0) {
                resource.awaitRun(before);
            }
            switch (random.nextInt(8)) {
                case 0 -> fake.lose(LossCause.RESIGNED);
                case 1 -> fake.lose(LossCause.EXPIRED);
                case 3 -> fake.lose(LossCause.SUPERSEDED);
                case 4 -> next.leave("orders");
                case 5 -> fake.lose(LossCause.PAUSED);
                default -> fake.lose(LossCause.TRANSFERRED);
            }
        }
    }

    private static Thread call(Job job, AtomicBoolean stop) {
        var thread = new Thread(() -> {
            while (!stop.get()) {
                job.work();
                LockSupport.parkNanos(10_000);
            }
        });
        thread.start();
        return thread;
    }

    private static ApplicationContextRunner runner(FakeElection fake, Resource resource, String id) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(DoyenAutoConfiguration.class))
                .withPropertyValues("doyen.candidate-id=" + id)
                .withBean(ElectionSource.class, () -> new Fakes(fake))
                .withBean(Job.class, () -> new Job(resource));
    }

    static class Job {
        private final Resource resource;

        Job(Resource resource) {
            this.resource = resource;
        }

        @LeaderOnly("orders")
        public void work() {
            resource.use(CurrentLeadership.term());
        }
    }

    /** The fenced resource to which all threads write. The resource also counts concurrent writers. */
    static final class Resource {
        final ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();
        final AtomicInteger runs = new AtomicInteger();
        final AtomicInteger terms = new AtomicInteger();
        private final AtomicInteger at = new AtomicInteger();
        private final AtomicLong highest = new AtomicLong();

        void use(long term) {
            if (at.incrementAndGet() > 1) {
                faults.add("two calls at a time in term " + term);
            }
            long seen = highest.getAndAccumulate(term, Math::max);
            if (seen > term) {
                faults.add("term " + term + " after " + seen);
            }
            if (term > seen) {
                terms.incrementAndGet();
            }
            runs.incrementAndGet();
            // Every eighth call takes longer and stops slowly after an interrupt.
            if (runs.get() % 8 == 0) {
                LockSupport.parkNanos(5_000_000);
                boolean interrupted = Thread.interrupted();
                LockSupport.parkNanos(200_000);
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
            at.decrementAndGet();
        }

        void awaitRun(int after) throws InterruptedException {
            long start = System.nanoTime();
            while (runs.get() == after) {
                assertThat(System.nanoTime() - start)
                        .as("nanoseconds without work")
                        .isLessThan(60_000_000_000L);
                LockSupport.parkNanos(20_000);
            }
        }
    }
}
