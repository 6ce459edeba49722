package dev.doyen.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.driver.LeaseListener;
import dev.doyen.driver.LeaseLoop;
import dev.doyen.driver.LoopContext;
import dev.doyen.driver.Threads;
import dev.doyen.event.ElectionEvent;
import dev.doyen.event.HandOverState;
import dev.doyen.lease.Identity;
import dev.doyen.lease.LeaseTiming;
import dev.doyen.lease.Priority;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.ForwardingLeaseStore;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.MemoryLeaseStore;
import dev.doyen.store.VersionedLease;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An input that comes only once is taken although the machine fails on it. The test moves the time. */
class LeaseLoopTest { // L8

    private static final Duration TTL = Duration.ofSeconds(10);

    private final ManualThreads threads = new ManualThreads();
    private final MemoryLeaseStore store = new MemoryLeaseStore();
    private final List<ElectionEvent> events = new ArrayList<>();
    private final List<Long> saves = new ArrayList<>();
    private boolean ended;

    private boolean watchFails;

    /** How many steps are still to fail. A step reads the clocks before it changes anything. */
    private int failures;

    private final LeaseLoop loop = new LeaseLoop(
            LoopContext.renewing(failing(), withFaultyWatch(), LeaseTiming.ofTtl(TTL), () -> 7),
            "orders",
            Priority.DEFAULT,
            new LeaseListener() {
                @Override
                public void told(ElectionEvent event) {
                    events.add(event);
                }

                @Override
                public void saved(long save) {
                    saves.add(save);
                }

                @Override
                public void ended() {
                    ended = true;
                }
            });

    @Test
    void a_candidacy_begins() {
        loop.start();
        threads.settle();
        failures = 2;
        loop.stand(new Identity("a", "1"));
        threads.pass(TTL);

        assertThat(failures).isZero();
        assertThat(loop.leads()).isTrue();
    }

    @Test
    void an_input_is_taken_after_those_that_came_before_it() {
        loop.start();
        threads.settle();
        failures = 1;
        loop.stand(new Identity("a", "1"));
        loop.withdraw();
        threads.pass(TTL);

        assertThat(failures).isZero();
        assertThat(loop.leads()).isFalse();
    }

    @Test
    void a_leader_resigns() {
        leading();
        failures = 1;
        loop.resign(TTL, "");
        threads.pass(Duration.ofSeconds(1));

        assertThat(failures).isZero();
        assertThat(loop.leads()).isFalse();
    }

    @Test
    void the_lease_is_given_back_after_the_work() {
        leading();
        loop.resign(TTL, "");
        threads.settle();
        failures = 1;
        loop.workStopped(1);
        threads.pass(Duration.ofSeconds(2));

        assertThat(failures).isZero();
        assertThat(record().isHeld()).isFalse();
    }

    @Test
    void a_state_is_saved() {
        leading();
        failures = 1;
        loop.save(1, HandOverState.ofText("page 7"));
        threads.pass(Duration.ofSeconds(2));

        assertThat(failures).isZero();
        assertThat(saves).contains(1L);
    }

    @Test
    void the_loop_ends() {
        leading();
        failures = 1;
        loop.leave();
        loop.workStopped(1);
        threads.pass(Duration.ofSeconds(2));

        assertThat(failures).isZero();
        assertThat(ended).isTrue();
        assertThat(record().isHeld()).isFalse();
    }

    @Test
    void the_loop_ends_although_its_watch_cannot_be_ended() {
        leading();
        watchFails = true;
        loop.leave();
        loop.workStopped(1);
        threads.pass(Duration.ofSeconds(2));

        assertThat(ended).isTrue();
    }

    @Test
    void an_input_that_the_machine_always_fails_on_does_not_end_the_loop() {
        leading();
        loop.judged(null);
        threads.pass(TTL.multipliedBy(10));
        assertThat(loop.leads()).isTrue();

        loop.judged(null);
        loop.resign(TTL, "");
        threads.pass(TTL);
        assertThat(loop.leads()).isFalse();
    }

    private void leading() {
        loop.start();
        loop.stand(new Identity("a", "1"));
        threads.settle();
        assertThat(loop.leads()).isTrue();
    }

    private LeaseRecord record() {
        return store.read("orders").record().orElseThrow();
    }

    private LeaseStore withFaultyWatch() {
        return new ForwardingLeaseStore(store) {
            @Override
            public VersionedLease read(String election) {
                return behind().read(election);
            }

            @Override
            public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
                return behind().compareAndSet(election, expected, next);
            }

            @Override
            public Optional<Watch> watch(String election, Runnable changed) {
                return super.watch(election, changed).map(watch -> () -> {
                    watch.close();
                    if (watchFails) {
                        throw new IllegalStateException("on purpose");
                    }
                });
            }
        };
    }

    private Threads failing() {
        return (Threads) Proxy.newProxyInstance(
                Threads.class.getClassLoader(), new Class<?>[] {Threads.class}, (on, called, with) -> {
                    if (called.getName().equals("now") && failures > 0) {
                        failures--;
                        throw new OutOfMemoryError("on purpose");
                    }
                    return called.invoke(threads, with);
                });
    }
}
