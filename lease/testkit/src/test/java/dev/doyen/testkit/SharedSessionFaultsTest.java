package dev.doyen.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.Elections;
import dev.doyen.LeaseCandidate;
import dev.doyen.LeaseLeadership;
import dev.doyen.election.ElectionListener;
import dev.doyen.election.HealthCheck;
import dev.doyen.election.Threads;
import dev.doyen.event.Explanation.Reason;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.ForwardingLeaseStore;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import dev.doyen.stores.local.MemoryLeaseStore;
import dev.doyen.testkit.FaultyLeaseStore.Fault;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests rule L12 for a process that has faults but continues to renew its session.
 *
 * <p>If the process loses one election but does not stop the work, another process must become the leader of this
 * election. The faulty process must continue to lead its other elections, unless its health check fails. The test moves
 * the clock.
 */
class SharedSessionFaultsTest {

    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Duration THREE_TTL = TTL.multipliedBy(3);

    private final ManualThreads threads = new ManualThreads();
    private final MemoryLeaseStore shared = new MemoryLeaseStore();
    private final AtomicLong seeds = new AtomicLong();
    private final FaultyLeaseStore wayOfA = new FaultyLeaseStore(shared);
    private final HungCallbacks threadsOfA = new HungCallbacks(threads);
    private final AtomicBoolean wellA = new AtomicBoolean(true);
    private final Elections a = elections(wayOfA, threadsOfA, "a", wellA);
    private final Elections b = elections(shared, threads, "b", new AtomicBoolean(true));

    /** The ways in which a leader loses its term while its work continues. */
    enum End {
        RESIGN,
        CLOSE,
        HEALTH,
        OPERATOR
    }

    @ParameterizedTest
    @EnumSource
    void work_that_does_not_stop_keeps_the_election_for_three_ttl_at_most(End end) {
        LeaseCandidate ofA = a.named("stuck").join("a");
        LeaseCandidate fine = a.named("fine").join("a");
        ofA.listen(new ElectionListener<LeaseLeadership>() {});
        threads.pass(TTL);
        assertThat(ofA.isLeader()).isTrue();
        assertThat(fine.isLeader()).isTrue();
        LeaseCandidate ofB = b.named("stuck").join("b");
        threads.pass(TTL);

        threadsOfA.hang();
        switch (end) {
            case RESIGN -> ofA.resign();
            case CLOSE -> ofA.close();
            case HEALTH -> wellA.set(false);
            case OPERATOR -> b.named("stuck").control("ops").resign("maintenance");
        }
        threads.pass(THREE_TTL);

        assertThat(ofB.isLeader()).isTrue();
        assertThat(ofA.isLeader()).isFalse();
        assertThat(fine.isLeader())
                .as("a healthy process still leads its other elections")
                .isEqualTo(end != End.HEALTH);
    }

    @Test
    void records_do_not_grow_with_the_number_of_processes_that_were_killed() {
        for (int i = 0; i < 44; i++) {
            var way = new FaultyLeaseStore(shared);
            LeaseCandidate candidate = elections(way, threads, "p" + i, new AtomicBoolean(true))
                    .named("e" + i)
                    .join("p" + i);
            threads.pass(TTL.plusSeconds(2));
            assertThat(candidate.isLeader()).isTrue();
            way.fault(Fault.AWAY);
        }
        assertThat(heldSessionRecords())
                .as("only a, b and the last killed processes have records")
                .hasSizeLessThanOrEqualTo(4);
        assertThat(sessionRecords()).hasSizeLessThanOrEqualTo(8);
    }

    @Test
    void a_live_session_is_never_fenced_by_a_search() {
        LeaseCandidate ofA = a.named("e").join("a");
        threads.pass(TTL);
        long term = ofA.leadership().orElseThrow().term();
        for (int i = 0; i < 5; i++) {
            elections(new FaultyLeaseStore(shared), threads, "p" + i, new AtomicBoolean(true));
            threads.pass(TTL.multipliedBy(2));
        }
        assertThat(ofA.isLeader()).isTrue();
        assertThat(ofA.leadership().orElseThrow().term()).isEqualTo(term);
    }

    @Test
    void all_elections_continue_after_an_Error_of_a_store_call() { // L8
        List<LeaseCandidate> ofA =
                IntStream.range(0, 6).mapToObj(i -> a.named("e" + i).join("a")).toList();
        threads.pass(TTL);
        wayOfA.fault(Fault.FATAL);
        threads.pass(Duration.ofMillis(500));
        ofA.get(0).resign(Duration.ZERO);
        threads.pass(TTL);
        wayOfA.fault(Fault.NONE);
        threads.pass(THREE_TTL);

        assertThat(ofA).allMatch(LeaseCandidate::isLeader);
    }

    @Test
    void all_elections_continue_after_a_lack_of_threads() { // L8
        List<LeaseCandidate> ofA =
                IntStream.range(0, 6).mapToObj(i -> a.named("e" + i).join("a")).toList();
        threads.pass(TTL);
        threads.storeThreadsBusy(true);
        threads.pass(TTL.plusSeconds(4));
        threads.storeThreadsBusy(false);
        threads.pass(THREE_TTL);

        assertThat(ofA).allMatch(LeaseCandidate::isLeader);
    }

    @Test
    void a_release_is_repeated_until_the_store_accepts_it() {
        LeaseCandidate ofA = a.named("e").join("a");
        threads.pass(TTL);
        LeaseCandidate ofB = b.named("e").join("b");
        threads.pass(TTL);
        wayOfA.fault("e", Fault.AWAY);
        CompletableFuture<Void> resigned = ofA.resign();
        threads.pass(THREE_TTL);
        assertThat(resigned).as("the caller no longer waits").isCompleted();
        assertThat(ofA.explain().reason()).isEqualTo(Reason.RELEASING);
        assertThat(ofB.isLeader()).isFalse();

        wayOfA.fault("e", Fault.NONE);
        threads.pass(TTL);
        assertThat(ofB.isLeader()).isTrue();
        assertThat(ofB.history().get(0).end()).isEqualTo(LossCause.RESIGNED);
    }

    @Test
    void a_candidate_whose_release_failed_does_not_block_the_next_of_its_process() {
        LeaseCandidate first = a.named("e").join("first");
        threads.pass(TTL);
        wayOfA.fault("e", Fault.AWAY);
        first.close();
        threads.pass(THREE_TTL);
        wayOfA.fault("e", Fault.NONE);
        LeaseCandidate second = a.named("e").join("second");
        threads.pass(TTL);

        assertThat(second.isLeader()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_late_acquisition_of_a_closed_candidate_blocks_no_other(boolean othersGetThrough) {
        var late = new LateWrites(shared);
        Elections c = elections(late, threads, "c", new AtomicBoolean(true));
        threads.pass(TTL);
        late.holdBack("e");
        LeaseCandidate ofC = c.named("e").join("c");
        threads.pass(TTL);
        ofC.close();
        threads.pass(THREE_TTL);
        if (othersGetThrough) {
            late.takeOthers();
            threads.pass(THREE_TTL);
        }
        late.carryOutFirst();
        LeaseCandidate ofB = b.named("e").join("b");
        threads.pass(THREE_TTL);

        assertThat(ofB.isLeader()).isTrue();
    }

    @Test
    void no_holder_is_reported_as_silent_while_the_leader_is_healthy() {
        a.named("e").join("a");
        threads.pass(TTL);
        LeaseCandidate ofB = b.named("e").join("b");
        threads.pass(TTL);
        for (int i = 0; i < 600; i++) {
            threads.pass(Duration.ofMillis(100));
            assertThat(ofB.explain().reason()).isEqualTo(Reason.HELD);
        }
    }

    @Test
    void closing_waits_once_for_all_work_that_does_not_stop() {
        for (int i = 0; i < 6; i++) {
            LeaseCandidate candidate = a.named("e" + i).join("a");
            candidate.listen(new ElectionListener<LeaseLeadership>() {});
        }
        threads.pass(TTL);
        threadsOfA.hang();
        long before = threads.now().nanos();
        a.close();

        // The method close waits at most D (0.8 ttl) and one request timeout for the work, and then at most D for
        // the session.
        assertThat(Duration.ofNanos(threads.now().nanos() - before))
                .isBetween(Duration.ofSeconds(10), Duration.ofSeconds(18));
    }

    private List<String> heldSessionRecords() {
        return sessionRecords().stream()
                .filter(name -> shared.read(name).record().orElseThrow().isHeld())
                .toList();
    }

    private List<String> sessionRecords() {
        return IntStream.rangeClosed(1, 200)
                .mapToObj(i -> "~session/" + i)
                .filter(name -> shared.read(name).record().isPresent())
                .toList();
    }

    private Elections elections(LeaseStore store, Threads threads, String process, AtomicBoolean well) {
        return Elections.lease()
                .store(store)
                .process(process)
                .ttl(TTL)
                .health(HealthCheck.of(well::get))
                .threads(threads, seeds::incrementAndGet)
                .open();
    }

    /** Threads that, after {@link #hang}, drop each task that a callback queue submits. */
    private static final class HungCallbacks implements Threads {
        private final ManualThreads threads;
        private boolean hung;

        HungCallbacks(ManualThreads threads) {
            this.threads = threads;
        }

        void hang() {
            hung = true;
        }

        @Override
        public Moment now() {
            return threads.now();
        }

        @Override
        public boolean loop(Runnable task) {
            return threads.loop(task);
        }

        @Override
        public Timer at(long nanos, Runnable task) {
            return threads.at(nanos, task);
        }

        @Override
        public boolean store(Runnable call) {
            return threads.store(call);
        }

        @Override
        public void callback(Runnable callback) {
            // Health checks and log lines use no CallbackQueue, so they continue.
            if (!hung || !callback.getClass().getName().contains("CallbackQueue")) {
                threads.callback(callback);
            }
        }

        @Override
        public boolean await(CompletableFuture<?> done, Duration atMost) throws InterruptedException {
            return threads.await(done, atMost);
        }

        @Override
        public void close() {
            threads.close();
        }
    }

    /**
     * A store that withholds the writes of one election, and returns unknown outcomes for them. The store carries out
     * the first withheld write when the test calls {@code carryOutFirst}. It never carries out the other withheld
     * writes. After {@code takeOthers} or {@code carryOutFirst}, the store withholds no further write.
     */
    private static final class LateWrites extends ForwardingLeaseStore {
        private Runnable first = () -> {};
        private boolean waiting;
        private String heldBack = "";

        LateWrites(LeaseStore behind) {
            super(behind);
        }

        void holdBack(String election) {
            heldBack = election;
            waiting = true;
        }

        void takeOthers() {
            heldBack = "";
        }

        void carryOutFirst() {
            heldBack = "";
            first.run();
        }

        @Override
        public VersionedLease read(String election) {
            return behind().read(election);
        }

        @Override
        public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
            if (!election.equals(heldBack)) {
                return behind().compareAndSet(election, expected, next);
            }
            if (waiting) {
                waiting = false;
                first = () -> behind().compareAndSet(election, expected, next);
            }
            return new CasOutcome.Unknown("no answer in time");
        }
    }
}
