package dev.doyen.simulator.sessions;

import dev.doyen.election.LeaseTiming;
import dev.doyen.simulator.world.Agenda;
import dev.doyen.simulator.world.SeededRandom;
import dev.doyen.simulator.world.SimClock;
import dev.doyen.simulator.world.Trace;
import dev.doyen.simulator.world.Violation;
import dev.doyen.store.LeaseRecord;
import dev.doyen.stores.local.MemoryLeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Runs one seed with whole processes that use the library as applications do.
 *
 * <p>Three processes take part in four elections. In most processes, all elections share one session. Faults occur for
 * {@value #FAULTY_SECONDS} simulated seconds, and then all faults end. In some runs all processes suffer faults. In
 * other runs only the first process suffers faults, and in some of these runs that process never loses its session. In
 * a few runs, the only faults are those that make one process receive the confirmation of an acquire late. In some
 * runs, the processes that suffer faults also read older versions of the records. In some of these runs, a candidate
 * leaves as soon as such a version ends its term.
 */
public final class SessionSimulation {

    static final int FAULTY_SECONDS = 160;

    private static final long SECOND = 1_000_000_000L;
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final double RHO = 0.1;

    /**
     * The maximum time without a leader, in nanoseconds.
     *
     * <p>This time is three ttls by the slowest clock, plus 2 s for reads.
     */
    private static final long LED_WITHIN = (long) (3 * TTL.toNanos() / (1 - RHO)) + 2 * SECOND;

    /**
     * The seconds from the end of the faults until every candidate has a task again.
     *
     * <p>This time includes the end of a last task that stops late.
     */
    private static final long REST_SECONDS = 60;

    private static final long HEALING_SECONDS = 120;
    private static final int PROCESSES = 3;

    private static final List<String> ELECTIONS = List.of("a", "b", "c", "d");

    private final SeededRandom random;
    private final SeededRandom staleness;
    private final Agenda agenda = new Agenda();
    private final VersionHistory store;
    private final SessionWitness witness;
    private final List<Host> hosts = new ArrayList<>();
    private final boolean watched;
    private final boolean oneFaulty;
    private final boolean renewing;
    private final boolean lateOnly;
    private final double mortality;
    private final double stale;
    private boolean faulty = true;
    private int lives;

    private SessionSimulation(long seed, Trace trace) {
        store = new VersionHistory(new MemoryLeaseStore(), agenda, trace);
        witness = new SessionWitness(agenda, trace);
        random = new SeededRandom(seed);
        staleness = new SeededRandom(~seed);
        stale = staleness.chance(0.3) ? staleness.between(0, 0.2) : 0;
        watched = random.chance(0.5);
        lateOnly = random.chance(0.1);
        oneFaulty = !lateOnly && random.chance(0.5);
        renewing = oneFaulty && random.chance(0.6);
        mortality = random.chance(0.2) ? 0.5 : 0.04;
        for (int i = 0; i < PROCESSES; i++) {
            boolean hasFaults = !lateOnly && (i == 0 || !oneFaulty);
            hosts.add(new Host("p" + i, lateOnly || random.chance(0.85), hasFaults, i == 0));
        }
    }

    /** The outcome of a seed. Each run of the seed has the same outcome. */
    public record Outcome(long seed, Optional<Violation> violation, long terms) {}

    /**
     * Runs a seed.
     *
     * <p>Each run of a seed prints the same trace if the log of {@code dev.doyen} is off. Each log line is one more
     * task of a process, so a run with the log on differs.
     */
    public static Outcome run(long seed, Trace trace) {
        var simulation = new SessionSimulation(seed, trace);
        try {
            simulation.run();
            return new Outcome(seed, Optional.empty(), simulation.witness.terms());
        } catch (Violation violation) {
            return new Outcome(seed, Optional.of(violation), simulation.witness.terms());
        } finally {
            if (trace.isOn()) {
                // Two runs can differ after their last write. The number of tasks can show this difference.
                trace.line(simulation.agenda.now(), "agenda", simulation.agenda.entries() + " tasks");
            }
            simulation.hosts.forEach(Host::die);
        }
    }

    private void run() {
        hosts.forEach(Host::begin);
        if (lateOnly) {
            agenda.after(random.seconds(15, 100), hosts.get(0)::answerLate);
        }
        if (oneFaulty) {
            checkLed();
        }
        agenda.runUntil(FAULTY_SECONDS * SECOND);
        faulty = false;
        hosts.forEach(Host::heal);
        hosts.stream().filter(each -> each.underSession).findFirst().ifPresent(each -> each.restart(15));
        if (!oneFaulty) {
            agenda.runUntil(agenda.now() + REST_SECONDS * SECOND);
            ELECTIONS.forEach(each -> witness.countAnew(each, agenda.now()));
            checkLed();
        }
        agenda.runUntil((FAULTY_SECONDS + HEALING_SECONDS) * SECOND);
        checkRecords();
        witness.judge();
    }

    /**
     * Checks every second that no election is without a leader for too long.
     *
     * <p>The limit is {@link #LED_WITHIN}, even while one process suffers faults.
     */
    private void checkLed() {
        ELECTIONS.forEach(each -> witness.led(each, agenda.now(), LED_WITHIN));
        agenda.after(SECOND, this::checkLed);
    }

    /**
     * Checks that session records do not accumulate.
     *
     * <p>A process that started after the faults has fenced the records that earlier processes did not release.
     */
    private void checkRecords() {
        long held = IntStream.rangeClosed(1, PROCESSES + lives)
                .filter(n -> store.read("~session/" + n)
                        .record()
                        .filter(LeaseRecord::isHeld)
                        .isPresent())
                .count();
        if (held > PROCESSES) {
            witness.found("RecordsDoNotGrow", held + " session records are held by " + PROCESSES + " processes");
        }
    }

    /** A computer that runs one process at a time. After a crash it starts a new process. */
    private final class Host {
        private final String id;
        private final boolean underSession;
        private final boolean hasFaults;
        private final boolean mayHang;
        private final SimClock clock;
        private Line line;
        private SessionProcess process;

        /**
         * Creates the host.
         *
         * @param hasFaults true if the host suffers faults
         */
        Host(String id, boolean underSession, boolean hasFaults, boolean mayHang) {
            this.id = id;
            this.underSession = underSession;
            this.hasFaults = hasFaults;
            this.mayHang = mayHang;
            double rate =
                    random.chance(0.5) ? (random.chance(0.5) ? 1 - RHO : 1 + RHO) : random.between(1 - RHO, 1 + RHO);
            this.clock = new SimClock(agenda, rate, rate, random.next() >> 1, random.below(1_000_000_000));
            this.line = connect();
            this.process = live();
        }

        private Line connect() {
            return new Line(store, random.split(), watched, staleness.split(), stale);
        }

        private SessionProcess live() {
            if (!hasFaults || !faulty || renewing) {
                line.heal();
            }
            lives++;
            return new SessionProcess(
                    witness,
                    agenda,
                    random.split(),
                    clock,
                    line,
                    LeaseTiming.ofTtl(TTL),
                    id,
                    underSession,
                    !hasFaults || !faulty,
                    mayHang,
                    ELECTIONS);
        }

        void begin() {
            if (hasFaults) {
                agenda.after(random.seconds(0, 3), this::injectFault);
            }
        }

        /** Causes a fault, an operation or nothing, again every few seconds. */
        private void injectFault() {
            if (!faulty) {
                return;
            }
            agenda.after(random.seconds(1, 6), this::injectFault);
            // A process that must keep renewing its session suffers no restart, no freeze, no cut and no late answers.
            double drawn = renewing ? random.between(mortality + 0.14, mortality + 0.41) : random.unit();
            if (drawn < mortality) {
                restart(15);
            } else if (drawn < mortality + 0.07) {
                process.threads().freeze(random.seconds(1, 25));
            } else if (drawn < mortality + 0.14) {
                line.cut(agenda.now() + random.seconds(5, 30));
            } else if (drawn < mortality + 0.18) {
                process.threads().refuseThreads(agenda.now() + random.seconds(1, renewing ? 3 : 15));
            } else if (drawn < mortality + 0.22) {
                line.throwErrors();
            } else if (drawn < mortality + 0.26) {
                failRelease();
            } else if (drawn < mortality + 0.32 && !renewing) {
                answerLate();
            } else if (drawn < mortality + 0.41) {
                process.resign(anElection(), Duration.ofSeconds(random.below(5)));
            }
        }

        private void restart(double mostSeconds) {
            if (!process.isAlive()) {
                return;
            }
            process.die();
            agenda.after(random.seconds(0.1, mostSeconds), () -> {
                line = connect();
                process = live();
            });
        }

        /** Resigns or closes a candidate while all writes to its record fail. */
        private void failRelease() {
            String election = anElection();
            long until = agenda.now() + random.seconds(5, 25);
            line.failWrites(election, until);
            if (random.chance(0.5)) {
                process.resign(election, Duration.ofSeconds(random.below(5)));
            } else {
                process.rejoin(election);
            }
            witness.countAnew(election, until);
        }

        /**
         * Delays answers so that this process receives the confirmation of an acquire late.
         *
         * <p>Before the confirmation arrives, this process loses its session. A new process on another host can then
         * take over the lost session record. In this case, this process already holds a different session record when
         * the confirmation arrives.
         */
        private void answerLate() {
            Line present = line;
            long late = random.seconds(2, 5);
            present.answerLate(agenda.now() + late);
            agenda.after(late, () -> present.cut(agenda.now() + random.seconds(15, 20)));
            hosts.stream().filter(each -> each != this).forEach(each -> {
                ELECTIONS.forEach(election -> each.process.resign(election, TTL));
                if (each.hasFaults || lateOnly) {
                    agenda.after(random.seconds(13, 20), () -> each.restart(3));
                }
            });
        }

        private String anElection() {
            return ELECTIONS.get(random.below(ELECTIONS.size()));
        }

        void heal() {
            line.heal();
            process.heal();
        }

        void die() {
            if (process.isAlive()) {
                process.die();
            }
        }
    }
}
