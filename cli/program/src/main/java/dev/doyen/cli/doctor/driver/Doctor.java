package dev.doyen.cli.doctor.driver;

import dev.doyen.Fencing;
import dev.doyen.cli.doctor.Check;
import dev.doyen.cli.doctor.ClockChecks;
import dev.doyen.cli.doctor.ElectionChecks;
import dev.doyen.cli.doctor.Latency;
import dev.doyen.cli.doctor.StoreChecks;
import dev.doyen.cli.operator.ObservedElection;
import dev.doyen.cli.operator.driver.ElectionObserver;
import dev.doyen.election.LeaseTiming;
import dev.doyen.event.Moment;
import dev.doyen.event.SavedState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreRefusedException;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.probe.StoreProbe;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Runs the checks one after the other, and reports each result at once.
 *
 * <p>The checks may run on a store in use, because they write only the record {@value #RECORD} and records whose names
 * start with {@code ~probe-}. These records have no holder. The checks make about 80 store calls and then read the
 * clocks for {@code watchClocks}. Threads: one.
 */
public final class Doctor {

    static final String RECORD = "~doctor";

    private static final int SAMPLES = 20;
    private static final int ANNOUNCED_WRITES = 5;
    private static final Duration MOST_FOR_SAMPLES = Duration.ofSeconds(10);
    private static final Duration MOST_FOR_NOTICE = Duration.ofSeconds(2);
    private static final Duration BETWEEN_READINGS = Duration.ofMillis(50);
    private static final Duration TIGHT = Duration.ofMillis(2);

    private final LeaseStore store;
    private final Questions questions;
    private final Clock clock;
    private final Consumer<Check> checks;

    /**
     * The settings of the checks.
     *
     * @param name the election to examine; empty to examine only the store and the clocks
     * @param timing the durations that follow from the user's ttl; empty if the user passed no ttl
     * @param watchClocks the time during which the clocks are read
     */
    public record Questions(
            Optional<String> name, Optional<LeaseTiming> timing, Fencing fencing, Duration watchClocks) {}

    public Doctor(LeaseStore store, Questions questions, Clock clock, Consumer<Check> checks) {
        this.store = store;
        this.questions = questions;
        this.clock = clock;
        this.checks = checks;
    }

    /**
     * Runs all checks. If the store stops answering, or rejects a request because a right is missing, the last reported
     * check is a failure of the store.
     */
    public void examine() throws InterruptedException {
        try {
            if (questions.name().isEmpty()) {
                examineStore(questions.timing().orElse(LeaseTiming.ofTtl(LeaseTiming.DEFAULT_TTL)));
                return;
            }
            try (var observer = new ElectionObserver(store, questions.name().get())) {
                examineStore(timing(observer.snapshot()));
                var observed = observer.snapshot();
                new ElectionChecks(questions.name().get(), observed, System.nanoTime(), clock.instant())
                        .of(questions.timing())
                        .forEach(checks);
            }
        } catch (StoreRefusedException e) {
            checks.accept(Check.fail("store", "it rejects this process: " + e.refusal(), e.remedy()));
        } catch (StoreUnavailableException e) {
            checks.accept(Check.fail(
                    "store",
                    "it stopped answering: " + e.getMessage(),
                    "check that it is reachable, and repeat the command"));
        }
    }

    private void examineStore(LeaseTiming timing) throws InterruptedException {
        StoreChecks.promises(store.promises(), questions.fencing(), timing).forEach(checks);
        StoreChecks.conformance(StoreProbe.full(store).faults()).forEach(checks);
        measure(timing);
        if (store.promises().watches()) {
            checks.accept(watch(timing));
        }
        ClockChecks.of(readings(), BETWEEN_READINGS, timing).forEach(checks);
    }

    /** Returns the durations that follow from the user's ttl, else from the record's ttl, else from the default ttl. */
    private LeaseTiming timing(ObservedElection seen) {
        return questions
                .timing()
                .orElseGet(() ->
                        LeaseTiming.ofTtl(seen.record().map(LeaseRecord::ttl).orElse(LeaseTiming.DEFAULT_TTL)));
    }

    private void measure(LeaseTiming timing) {
        var reads = new ArrayList<Duration>();
        var writes = new ArrayList<Duration>();
        long begun = System.nanoTime();
        for (int sample = 0;
                sample < SAMPLES && (sample == 0 || since(begun).compareTo(MOST_FOR_SAMPLES) < 0);
                sample++) {
            long before = System.nanoTime();
            var found = store.read(RECORD);
            reads.add(since(before));
            before = System.nanoTime();
            write(found.version());
            writes.add(since(before));
        }
        checks.accept(StoreChecks.latency(Latency.of(reads), Latency.of(writes)));
        checks.accept(StoreChecks.timing(Latency.of(reads), Latency.of(writes), timing));
    }

    /**
     * Writes the record. Returns false if the store has written nothing, because another process has changed the
     * record.
     */
    private boolean write(LeaseVersion version) {
        var outcome = store.compareAndSet(RECORD, version, record());
        if (outcome instanceof CasOutcome.Unknown unknown) {
            throw unknown.refused()
                    ? new StoreRefusedException("it rejects a write", unknown.reason(), null)
                    : new StoreUnavailableException(unknown.reason());
        }
        return outcome instanceof CasOutcome.Written;
    }

    private Check watch(LeaseTiming timing) throws InterruptedException {
        var notices = new Semaphore(0);
        var delays = new ArrayList<Duration>();
        int missed = 0;
        var watch = store.watch(RECORD, notices::release);
        try {
            for (int attempt = 0; attempt < ANNOUNCED_WRITES && missed < 2; attempt++) {
                var version = store.read(RECORD).version();
                notices.drainPermits();
                long sent = System.nanoTime();
                if (!write(version)) {
                    // This process has changed nothing, so the store announces nothing.
                    continue;
                }
                if (notices.tryAcquire(MOST_FOR_NOTICE.toNanos(), TimeUnit.NANOSECONDS)) {
                    delays.add(since(sent));
                } else {
                    missed++;
                }
            }
        } finally {
            watch.ifPresent(LeaseStore.Watch::close);
        }
        return StoreChecks.watch(delays, missed, timing);
    }

    private List<Moment> readings() throws InterruptedException {
        var readings = new ArrayList<Moment>();
        long begun = System.nanoTime();
        readings.add(reading());
        do {
            TimeUnit.NANOSECONDS.sleep(BETWEEN_READINGS.toNanos());
            readings.add(reading());
        } while (since(begun).compareTo(questions.watchClocks()) < 0);
        return readings;
    }

    /** Reads both clocks as close together as possible. A pause between the reads would look like a clock jump. */
    private static Moment reading() {
        Moment reading = new Moment(System.nanoTime(), System.currentTimeMillis());
        for (int attempt = 0; attempt < 5 && since(reading.nanos()).compareTo(TIGHT) > 0; attempt++) {
            reading = new Moment(System.nanoTime(), System.currentTimeMillis());
        }
        return reading;
    }

    private LeaseRecord record() {
        Instant now = clock.instant();
        var ttl = LeaseTiming.DEFAULT_TTL;
        return new LeaseRecord(RECORD, "", "", 1, "doctor." + UUID.randomUUID(), ttl, now, now, SavedState.EMPTY, 0);
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }
}
