package dev.doyen.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.driver.LeaseListener;
import dev.doyen.driver.LeaseLoop;
import dev.doyen.driver.LoopContext;
import dev.doyen.election.LeaseTiming;
import dev.doyen.election.Priority;
import dev.doyen.election.Threads;
import dev.doyen.event.ElectionEvent;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.event.SavedState;
import dev.doyen.lease.Identity;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.ForwardingLeaseStore;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import dev.doyen.stores.local.MemoryLeaseStore;
import dev.doyen.testkit.FaultyLeaseStore.Fault;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that the loop continues after a call has thrown an exception or an Error.
 *
 * <p>If the machine throws for an input, the loop passes this input to the machine again.
 *
 * <p>The test moves the clock.
 *
 * <p>This class is longer than most, because its tests share the faults below.
 */
class LeaseLoopTest { // L8

    private static final Duration TTL = Duration.ofSeconds(10);
    private static final LeaseTiming TIMING = LeaseTiming.ofTtl(TTL);
    private static final String LOGGED = "election=orders ";

    private final ManualThreads threads = new ManualThreads();
    private final MemoryLeaseStore memory = new MemoryLeaseStore();
    private final FaultyLeaseStore store = new FaultyLeaseStore(memory);
    private final List<ElectionEvent> events = new ArrayList<>();
    private final List<Long> saves = new ArrayList<>();
    private final List<String> reads = new ArrayList<>();
    private boolean ended;

    private boolean watchFails;

    /** How many of the next steps fail. A step fails when it reads the clocks, before it changes any state. */
    private int failures;

    /** How many of the next tasks the loop thread rejects. */
    private int refusals;

    /** The number of timers that are set before one attempt fails; negative if no attempt fails. */
    private int timersBeforeFailure = -1;

    /** How many tasks were submitted to the loop thread. */
    private int tasks;

    private Runnable runTimerEarly = () -> {};

    private boolean listenerFails;

    private final LeaseListener listener = new LeaseListener() {
        @Override
        public void onEvent(ElectionEvent event) {
            events.add(event);
            if (listenerFails && event instanceof ElectionEvent.Elected) {
                throw new OutOfMemoryError("on purpose");
            }
        }

        @Override
        public void saved(long save) {
            saves.add(save);
        }

        @Override
        public void ended() {
            ended = true;
        }
    };

    private final LeaseLoop loop = loop(LoopContext.renewing(failing(), withFaultyWatch(), TIMING, () -> 7));

    private final LogLines log = new LogLines(LOGGED);

    @AfterEach
    void close() {
        log.close();
    }

    @Test
    void a_candidacy_begins() {
        loop.start();
        threads.settle();
        failures = 2;
        loop.campaign(new Identity("a", "1"));
        threads.pass(TTL);

        assertThat(failures).isZero();
        assertThat(loop.leads()).isTrue();
    }

    @Test
    void inputs_are_processed_in_order() {
        loop.start();
        threads.settle();
        failures = 1;
        loop.campaign(new Identity("a", "1"));
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
    void the_lease_is_released_after_the_work() {
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
        loop.save(1, SavedState.ofText("page 7"));
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
    void the_loop_ends_even_if_its_watch_cannot_be_closed() {
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
        loop.eligibilityChanged(null);
        threads.pass(TTL.multipliedBy(10));
        assertThat(loop.leads()).isTrue();

        loop.eligibilityChanged(null);
        loop.resign(TTL, "");
        threads.pass(TTL);
        assertThat(loop.leads()).isFalse();
    }

    @Test
    void an_input_that_failed_is_logged_and_repeated_after_a_poll_interval() {
        loop.start();
        threads.settle();
        failures = 1;
        loop.campaign(new Identity("a", "1"));
        threads.pass(TIMING.pollEvery().minusMillis(1));
        assertThat(loop.leads()).isFalse();
        assertThat(lines()).singleElement().asString().startsWith("a step failed");
        threads.pass(Duration.ofMillis(1));
        assertThat(loop.leads()).isTrue();
    }

    @Test
    void a_timer_that_could_not_be_set_is_set_again() {
        leading();
        for (int i = 0; i < 6; i++) {
            timersBeforeFailure = i;
            threads.pass(TTL);
            assertThat(timersBeforeFailure).isNegative();
            assertThat(loop.leads()).isTrue();
        }
    }

    @Test
    void a_timer_that_runs_early_is_set_again() {
        loop.start();
        threads.settle();
        assertThat(threads.timersSet()).isEqualTo(1);
        runTimerEarly.run();

        assertThat(threads.timersSet()).isEqualTo(1);
    }

    @Test
    void each_announced_change_is_read_at_once() {
        loop.start();
        threads.settle();
        threads.pass(Duration.ofMillis(1));
        writeAsAnother();
        threads.settle();

        assertThat(loop.view().leader()).map(Leader::term).contains(1L);
        assertThat(loop.view().lastConfirmed()).contains(threads.now());
        writeAsAnother();
        threads.settle();
        assertThat(loop.view().leader()).map(Leader::term).contains(2L);
    }

    @Test
    void several_changes_that_are_announced_together_wake_the_loop_once() {
        loop.start();
        threads.settle();
        tasks = 0;
        for (int i = 0; i < 3; i++) {
            writeAsAnother();
        }

        assertThat(tasks).isEqualTo(1);
    }

    @Test
    void a_change_is_read_even_if_the_loop_thread_rejected_the_last_one() {
        loop.start();
        threads.settle();
        refusals = 1;
        writeAsAnother();
        threads.settle();
        assertThat(loop.view().leader()).isEmpty();
        writeAsAnother();
        threads.settle();

        assertThat(loop.view().leader()).map(Leader::id).contains("x");
    }

    @Test
    void a_watch_that_cannot_be_started_is_logged_and_the_loop_polls() {
        watchFails = true;
        LeaseLoop polling = loop(LoopContext.renewing(threads, withFaultyWatch(), TIMING, () -> 7));
        polling.start();
        threads.settle();
        assertThat(lines()).singleElement().asString().startsWith("a watch could not be started");
        writeAsAnother();
        threads.settle();
        assertThat(polling.view().leader()).isEmpty();
        threads.pass(TIMING.pollEvery().multipliedBy(2));
        assertThat(polling.view().leader()).map(Leader::id).contains("x");
    }

    @Test
    void a_closed_loop_is_not_woken_by_changes() {
        loop.start();
        loop.leave();
        threads.settle();
        assertThat(ended).isTrue();
        tasks = 0;
        writeAsAnother();

        assertThat(tasks).isZero();
    }

    @Test
    void a_store_that_cannot_be_read_is_logged_once_and_so_is_its_recovery() {
        loop.start();
        threads.settle();
        for (int i = 0; i < 2; i++) {
            log.lines().clear();
            store.fault(Fault.AWAY);
            threads.pass(TTL.multipliedBy(3));
            assertThat(lines()).singleElement().asString().startsWith("the store returned no usable answer: ");
            store.fault(Fault.NONE);
            threads.pass(TTL.multipliedBy(3));
            assertThat(lines()).hasSize(2).endsWith("the store answers again");
        }
    }

    @Test
    void a_store_that_cannot_be_written_is_logged_once_and_so_is_its_recovery() {
        leading();
        reads.clear();
        store.fault(Fault.AWAY);
        threads.pass(TIMING.renewEvery().multipliedBy(2));
        assertThat(lines().stream().filter(line -> line.startsWith("the store ")))
                .containsExactly("the store returned no usable answer: set to be away");
        store.fault(Fault.NONE);
        threads.pass(TIMING.renewEvery());
        assertThat(lines().stream().filter(line -> line.startsWith("the store ")))
                .hasSize(2)
                .endsWith("the store answers again");
        assertThat(reads).as("the leader only writes").isEmpty();
    }

    @Test
    void each_line_contains_the_id_of_its_own_candidate() {
        leading();
        loop.withdraw();
        threads.settle();
        loop.campaign(new Identity("b", "2"));
        threads.settle();
        loop.workStopped(1);
        threads.pass(TTL);
        loop.withdraw();
        threads.settle();
        loop.workStopped(2);
        threads.settle();
        log.lines().clear();
        writeAsAnother();
        threads.pass(TTL);

        assertThat(log.lines())
                .as("an observer")
                .containsExactly(LOGGED + "\"x\" leads in term 3", LOGGED + "nobody leads");
    }

    @Test
    void a_new_candidacy_does_not_change_the_id_in_the_lines_about_the_last_term() {
        leading();
        loop.withdraw();
        threads.settle();
        loop.campaign(new Identity("b", "2"));
        store.fault(Fault.AWAY);
        loop.workStopped(1);
        threads.settle();
        store.fault(Fault.NONE);
        threads.pass(TTL);

        assertThat(log.lines())
                .anyMatch(line -> line.startsWith(LOGGED + "candidate=a the store returned no usable answer"))
                .endsWith(LOGGED + "candidate=b leads in term 2");
    }

    @Test
    void every_event_is_logged_and_jeopardy_and_overlap_are_warnings() {
        leading();
        store.fault(Fault.AWAY);
        threads.pass(TTL);
        writeAsAnother();
        store.fault(Fault.NONE);
        threads.pass(TTL.multipliedBy(2));

        assertThat(events)
                .extracting(event -> event.getClass().getSimpleName())
                .contains("Elected", "Jeopardy", "Lost", "LeaderChanged", "Overlapped");
        assertThat(lines())
                .containsSubsequence(
                        "leads in term 1",
                        "missed a renewal in term 1 and leads for at most 6000 ms more unless a renewal succeeds: set"
                                + " to be away",
                        "lost the leadership in term 1 (the lease expired)",
                        "\"x\" leads in term 2",
                        "work of term 1 still runs, and \"x\" leads in term 2; only the fencing token protects the data"
                                + " that both write");
        assertThat(log.warnings())
                .filteredOn(line -> !line.contains("the store "))
                .extracting(line -> line.substring(LOGGED.length()))
                .allMatch(line -> line.contains("missed a renewal") || line.contains("work of term 1 still runs"));
    }

    @Test
    void a_leader_whose_listener_failed_at_the_election_resigns() {
        listenerFails = true;
        loop.start();
        loop.campaign(new Identity("a", "1"));
        threads.settle();

        assertThat(events).contains(new ElectionEvent.Lost(1, LossCause.RESIGNED));
    }

    @Test
    void a_new_session_begins_only_after_all_work_has_stopped() { // L12
        LoopContext context = LoopContext.underSession(threads, store, TIMING, () -> 7, "p");
        List<LeaseLoop> loops = List.of(loop(context), new LeaseLoop(context, "bills", Priority.DEFAULT, listener));
        for (LeaseLoop each : loops) {
            each.start();
            each.campaign(new Identity("a", "1"));
        }
        threads.pass(TTL);
        assertThat(loops).allMatch(LeaseLoop::leads);
        String session = record().epoch().orElseThrow().session();
        store.fault(Fault.AWAY);
        threads.pass(TIMING.deadline());
        store.fault(Fault.NONE);
        // The process lost its session at most {@code renewEvery} ago. While work continues, the next session begins
        // one ttl after the loss. The test moves the clock to a time before that.
        threads.pass(TTL.minus(TIMING.renewEvery().plusSeconds(1)));
        assertThat(loops).noneMatch(LeaseLoop::leads);
        assertThat(memory.read(session).highestTerm()).isEqualTo(1);

        loops.get(0).workStopped(1);
        threads.settle();
        assertThat(memory.read(session).highestTerm()).isEqualTo(1);
        loops.get(1).workStopped(1);
        threads.settle();
        assertThat(memory.read(session).highestTerm()).isEqualTo(2);
    }

    @Test
    void a_closed_loop_does_not_read_the_session_of_another_process() { // L12
        LeaseLoop other = loop(LoopContext.underSession(threads, memory, TIMING, () -> 7, "p"));
        other.start();
        other.campaign(new Identity("a", "1"));
        threads.pass(TTL);
        assertThat(other.leads()).isTrue();
        String session = record().epoch().orElseThrow().session();

        LeaseLoop follower = loop(LoopContext.underSession(threads, withFaultyWatch(), TIMING, () -> 8, "q"));
        follower.start();
        threads.pass(TTL);
        reads.clear();
        threads.pass(TTL);
        assertThat(reads).contains(session);
        follower.leave();
        threads.settle();
        reads.clear();
        threads.pass(TTL.multipliedBy(2));
        assertThat(reads).doesNotContain(session);
        assertThat(other.leads()).isTrue();
    }

    private LeaseLoop loop(LoopContext context) {
        return new LeaseLoop(context, "orders", Priority.DEFAULT, listener);
    }

    /** Writes the next record of the election, as if candidate x had acquired the lease. */
    private void writeAsAnother() {
        VersionedLease last = memory.read("orders");
        Instant at = Instant.ofEpochMilli(threads.now().wallMillis());
        CasOutcome outcome = memory.compareAndSet(
                "orders",
                last.version(),
                new LeaseRecord("orders", "x", "1", last.highestTerm() + 1, "nonce", TTL, at, at, SavedState.EMPTY, 0));
        assertThat(outcome).isInstanceOf(CasOutcome.Written.class);
    }

    private List<String> lines() {
        return log.lines().stream()
                .map(line -> line.substring(LOGGED.length()).replaceFirst("^candidate=a ", ""))
                .toList();
    }

    private void leading() {
        loop.start();
        loop.campaign(new Identity("a", "1"));
        threads.settle();
        assertThat(loop.leads()).isTrue();
    }

    private LeaseRecord record() {
        return memory.read("orders").record().orElseThrow();
    }

    private LeaseStore withFaultyWatch() {
        return new ForwardingLeaseStore(store) {
            @Override
            public VersionedLease read(String election) {
                reads.add(election);
                return behind().read(election);
            }

            @Override
            public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
                return behind().compareAndSet(election, expected, next);
            }

            @Override
            public Optional<Watch> watch(String election, Runnable changed) {
                if (watchFails) {
                    throw new IllegalStateException("on purpose");
                }
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
                    switch (called.getName()) {
                        case "now" -> {
                            if (failures > 0) {
                                failures--;
                                throw new OutOfMemoryError("on purpose");
                            }
                        }
                        case "loop" -> {
                            tasks++;
                            if (refusals > 0) {
                                refusals--;
                                return false;
                            }
                        }
                        case "at" -> {
                            if (timersBeforeFailure-- == 0) {
                                throw new OutOfMemoryError("on purpose");
                            }
                            return timer((long) with[0], (Runnable) with[1]);
                        }
                        default -> {}
                    }
                    return called.invoke(threads, with);
                });
    }

    private Threads.Timer timer(long atNanos, Runnable task) {
        Threads.Timer timer = threads.at(atNanos, task);
        runTimerEarly = () -> {
            timer.cancel();
            task.run();
        };
        return timer;
    }
}
