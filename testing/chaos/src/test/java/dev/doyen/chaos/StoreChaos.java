package dev.doyen.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.doyen.Election;
import dev.doyen.chaos.Ledger.Act;
import dev.doyen.store.StoreUnavailableException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Chaos tests of an election on a real store.
 *
 * <p>Three processes are candidates in one election, and the leader acts on a {@link Ledger}. After each fault, the
 * test reads the log of the ledger. The ledger must not have accepted an act of an old term after an act of a newer
 * term. Terms must rise, and a new leader must act in time.
 *
 * <p>{@code -Dchaos.rounds=10} runs ten rounds and prints the medians of their times. {@code -Dchaos.ttl=2} sets a ttl
 * of 2 s.
 */
abstract class StoreChaos {

    static final String ELECTION = "chaos";

    private static final Duration TTL = Duration.ofSeconds(Long.getLong("chaos.ttl", 5));
    private static final Duration POLL = TTL.dividedBy(10);
    private static final int ROUNDS = Integer.getInteger("chaos.rounds", 1);

    /**
     * The additional time that a busy machine can need before it runs a process. The tests still fail if a successor
     * waits for two ttls.
     */
    private static final Duration BUSY_MACHINE = TTL.multipliedBy(7).dividedBy(10);

    /** The limit of each wait. Only a failing test waits this long. */
    private static final long PATIENCE_MILLIS = 60_000;

    private static final int MAX_REQUESTS = 5;

    private final Ledger ledger = new Ledger();
    private final List<WorkerProcess> workers = new ArrayList<>();
    private int ledgerPort;
    private int started;

    abstract StoreServer store();

    @BeforeEach
    void listen() throws Exception {
        ledgerPort = ledger.listen(InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void endAll() throws Exception {
        for (WorkerProcess worker : workers) {
            worker.close();
        }
        ledger.close();
    }

    @Test
    void a_killed_leader_is_replaced_within_a_ttl_and_two_polls() throws Exception { // L2, L3
        List<Long> gaps = new ArrayList<>();
        startThree();
        for (int round = 0; round < ROUNDS; round++) {
            Act last = settled();
            worker(last.id()).kill();
            gaps.add(gapAfter(last));
            workers.remove(worker(last.id()));
            start();
        }
        inTime(gaps);
        assertThat(ledger.stale()).isEmpty();
        print("SIGKILL of the leader", gaps);
    }

    @Test
    void a_frozen_leader_is_replaced_and_does_no_harm_when_it_continues() throws Exception { // L1, L4, L5
        List<Long> gaps = new ArrayList<>();
        startThree();
        for (int round = 0; round < ROUNDS; round++) {
            Act last = settled();
            WorkerProcess stopped = worker(last.id());
            stopped.stop();
            gaps.add(gapAfter(last));
            long woken = System.nanoTime();
            stopped.goOn();
            // The frozen process campaigns again after SIGCONT, and leads after the current leader has handed over to
            // it.
            transferTo(stopped.id());
            ledger.await(
                    "act of the process that was frozen",
                    woken,
                    PATIENCE_MILLIS,
                    act -> act.id().equals(stopped.id()));
        }
        inTime(gaps);
        // SIGSTOP can arrive after the leader's check of its leadership and before its act. The fence must reject that
        // act.
        assertThat(ledger.stale().size()).isLessThanOrEqualTo(ROUNDS);
        assertThat(ledger.stale()).noneMatch(Act::accepted);
        print("SIGSTOP of the leader for longer than its lease, then SIGCONT", gaps);
    }

    @Test
    void a_killed_store_ends_the_leadership_in_time_until_its_restart() throws Exception {
        List<Long> gaps = new ArrayList<>();
        startThree();
        for (int round = 0; round < ROUNDS; round++) {
            Act last = settled();
            store().kill();
            long killed = System.nanoTime();
            Thread.sleep(TTL.plusSeconds(1).toMillis());
            long stoppedAfter = ledger.lastOf(last.term()).orElseThrow() - killed;
            assertThat(Duration.ofNanos(stoppedAfter))
                    .as("the leader stops in time without a store")
                    .isLessThan(TTL);
            long back = System.nanoTime();
            store().startAgain();
            Act next = ledger.await("act after the return of the store", back, PATIENCE_MILLIS, act -> true);
            assertThat(next.term()).isGreaterThan(last.term());
            gaps.add(TimeUnit.NANOSECONDS.toMillis(next.nanos() - back));
        }
        assertThat(ledger.stale()).isEmpty();
        print("store killed for longer than the lease, from its start to the next act", gaps);
    }

    @Test
    void a_leader_without_the_store_stops_before_another_begins() throws Exception { // L1, L2
        assumeTrue(Namespace.isPossible(), "SKIPPED: a network namespace needs root and the program ip (iproute2)");
        List<Long> gaps = new ArrayList<>();
        List<Long> marginsMillis = new ArrayList<>();
        try (Namespace namespace = Namespace.open();
                var relay = new Relay(namespace.storeAddress(), store().port())) {
            int port = ledger.listen(namespace.ledgerAddress());
            startThree();
            WorkerProcess cut = WorkerProcess.start(
                    namespace.prefix(),
                    store().url(namespace.storeAddress().getHostAddress(), relay.port()),
                    "cut",
                    TTL.toMillis(),
                    namespace.ledgerAddress().getHostAddress(),
                    port);
            workers.add(cut);
            for (int round = 0; round < ROUNDS; round++) {
                settled();
                transferTo("cut");
                Act last = ledger.await(
                        "act of the process that will be cut off",
                        System.nanoTime(),
                        PATIENCE_MILLIS,
                        act -> act.id().equals("cut"));
                long cutAt = System.nanoTime();
                namespace.cut();
                Act next =
                        ledger.await("act of another process", cutAt, PATIENCE_MILLIS, act -> act.term() > last.term());
                gaps.add(TimeUnit.NANOSECONDS.toMillis(next.nanos() - cutAt));
                long lastOfOld = ledger.lastOf(last.term()).orElseThrow();
                marginsMillis.add(TimeUnit.NANOSECONDS.toMillis(next.nanos() - lastOfOld));
                assertThat(next.nanos() - lastOfOld)
                        .as("the new leader acts after the last act of the old leader")
                        .isPositive();
                namespace.heal();
            }
        }
        inTime(gaps);
        assertThat(ledger.stale()).isEmpty();
        print("leader cut off from the store (margin " + median(marginsMillis) + " ms)", gaps);
    }

    private void startThree() throws Exception {
        for (int i = 0; i < 3; i++) {
            start();
        }
    }

    private void start() throws Exception {
        StoreServer server = store();
        workers.add(WorkerProcess.start(
                List.of(),
                server.url("127.0.0.1", server.port()),
                "worker-" + ++started,
                TTL.toMillis(),
                "127.0.0.1",
                ledgerPort));
    }

    private WorkerProcess worker(String id) {
        return workers.stream()
                .filter(worker -> worker.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    /**
     * Waits for an act, and then for an act at least four poll intervals later. Returns the second act.
     *
     * <p>By then the followers have read the lease.
     */
    private Act settled() throws InterruptedException {
        Act first = ledger.await("act", System.nanoTime(), PATIENCE_MILLIS, act -> true);
        long later = first.nanos() + POLL.multipliedBy(4).toNanos();
        return ledger.await("act of a settled leader", later, PATIENCE_MILLIS, act -> true);
    }

    /** Returns the milliseconds from now until the first act in a higher term. */
    private long gapAfter(Act last) throws InterruptedException {
        long from = System.nanoTime();
        Act next = ledger.await("act of another process", from, PATIENCE_MILLIS, act -> act.term() > last.term());
        return TimeUnit.NANOSECONDS.toMillis(next.nanos() - from);
    }

    /**
     * Asks the present leader to hand over to this candidate.
     *
     * <p>If it is unknown whether the store has written the request, the ledger shows whether a leader has carried it
     * out. If none has, this method repeats the request, up to {@value #MAX_REQUESTS} times in all.
     */
    private void transferTo(String id) throws InterruptedException {
        StoreServer server = store();
        try (Election election = Election.lease(ELECTION)
                .store(server.url("127.0.0.1", server.port()))
                .ttl(TTL)
                .open()) {
            for (int request = 1; ; request++) {
                try {
                    election.control("chaos").transferTo(id, "for the chaos test");
                    return;
                } catch (StoreUnavailableException unknown) {
                    if (settled().id().equals(id)) {
                        return;
                    }
                    if (request == MAX_REQUESTS) {
                        throw unknown;
                    }
                }
            }
        }
    }

    private void inTime(List<Long> gaps) {
        Duration bound = TTL.plus(POLL.multipliedBy(2)).plus(BUSY_MACHINE);
        assertThat(gaps).allMatch(gap -> gap <= bound.toMillis());
    }

    private void print(String mishap, List<Long> gaps) {
        System.out.printf(
                "chaos %s, ttl %d ms, %s: a leader again after %d ms (median of %d; %d to %d),"
                        + " %d stale acts rejected%n",
                store().name(),
                TTL.toMillis(),
                mishap,
                median(gaps),
                gaps.size(),
                Collections.min(gaps),
                Collections.max(gaps),
                ledger.stale().size());
    }

    private static long median(List<Long> values) {
        List<Long> sorted = values.stream().sorted().toList();
        return sorted.get(sorted.size() / 2);
    }
}
