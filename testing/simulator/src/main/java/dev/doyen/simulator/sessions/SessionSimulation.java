package dev.doyen.simulator.sessions;

import dev.doyen.election.LeaseTiming;
import dev.doyen.simulator.world.Agenda;
import dev.doyen.simulator.world.SeededRandom;
import dev.doyen.simulator.world.SimClock;
import dev.doyen.simulator.world.Violation;
import dev.doyen.store.LeaseRecord;
import dev.doyen.stores.local.MemoryLeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Runs one seed with the library as applications use it.
 *
 * <p>Three processes take part in four elections, most of them under a shared session. Faults occur for
 * {@value #FAULTY_SECONDS} simulated seconds, then everything heals. In some runs all processes suffer faults. In
 * others only the first one does, and in some of these it never loses its session. In a few runs the only fault is that
 * answers to one process arrive late.
 */
public final class SessionSimulation {

    static final int FAULTY_SECONDS = 160;

    private static final long SECOND = 1_000_000_000L;
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final double RHO = 0.1;

    /** 3 W by the slowest clock, and 2 s for the reads in between. */
    private static final long LED_WITHIN = (long) (3 * TTL.toNanos() / (1 - RHO)) + 2 * SECOND;

    /** Tasks that stopped late or ended begin again within this time after the healing. */
    private static final long REST_SECONDS = 60;

    private static final long HEALING_SECONDS = 120;
    private static final int PROCESSES = 3;

    private static final List<String> ELECTIONS = List.of("a", "b", "c", "d");

    private final SeededRandom random;
    private final Agenda agenda = new Agenda();
    private final MemoryLeaseStore store = new MemoryLeaseStore();
    private final SessionWitness witness = new SessionWitness();
    private final List<Host> hosts = new ArrayList<>();
    private final boolean watched;
    private final boolean oneFaulty;
    private final boolean renewing;
    private final boolean lateOnly;
    private final double mortality;
    private boolean faulty = true;
    private int lives;

    private SessionSimulation(long seed) {
        random = new SeededRandom(seed);
        watched = random.chance(0.5);
        lateOnly = random.chance(0.1);
        oneFaulty = !lateOnly && random.chance(0.5);
        renewing = oneFaulty && random.chance(0.6);
        mortality = random.chance(0.2) ? 0.5 : 0.04;
        for (int i = 0; i < PROCESSES; i++) {
            boolean befallen = !lateOnly && (i == 0 || !oneFaulty);
            hosts.add(new Host("p" + i, lateOnly || random.chance(0.85), befallen, i == 0));
        }
    }

    /** The outcome of a seed, which is the same in each run. */
    public record Outcome(long seed, Optional<Violation> violation, long terms) {}

    public static Outcome run(long seed) {
        var simulation = new SessionSimulation(seed);
        try {
            simulation.run();
            return new Outcome(seed, Optional.empty(), simulation.witness.terms());
        } catch (Violation violation) {
            return new Outcome(seed, Optional.of(violation), simulation.witness.terms());
        } finally {
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
     * Checks every second that no election lacks a leader for too long.
     *
     * <p>The limit is 3 W, whatever one process does.
     */
    private void checkLed() {
        ELECTIONS.forEach(each -> witness.led(each, agenda.now(), LED_WITHIN));
        agenda.after(SECOND, this::checkLed);
    }

    /**
     * Checks that session records do not accumulate.
     *
     * <p>A process that started after the faults has fenced the records that earlier processes have left.
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

    /** A machine that runs one process at a time. After a crash it starts another. */
    private final class Host {
        private final String id;
        private final boolean underSession;
        private final boolean befallen;
        private final boolean mayHang;
        private final SimClock clock;
        private Line line;
        private SessionProcess process;

        /** @param befallen whether it suffers faults */
        Host(String id, boolean underSession, boolean befallen, boolean mayHang) {
            this.id = id;
            this.underSession = underSession;
            this.befallen = befallen;
            this.mayHang = mayHang;
            double rate =
                    random.chance(0.5) ? (random.chance(0.5) ? 1 - RHO : 1 + RHO) : random.between(1 - RHO, 1 + RHO);
            this.clock = new SimClock(agenda, rate, rate, random.next() >> 1, random.below(1_000_000_000));
            this.line = new Line(store, random.split(), watched);
            this.process = live();
        }

        private SessionProcess live() {
            if (!befallen || !faulty || renewing) {
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
                    !befallen || !faulty,
                    mayHang,
                    ELECTIONS);
        }

        void begin() {
            if (befallen) {
                agenda.after(random.seconds(0, 3), this::mishap);
            }
        }

        /** Causes a fault or an operation every few seconds. */
        private void mishap() {
            if (!faulty) {
                return;
            }
            agenda.after(random.seconds(1, 6), this::mishap);
            // A process that must keep renewing its session suffers only the faults at the end of this list.
            double luck = renewing ? random.between(mortality + 0.14, mortality + 0.41) : random.unit();
            if (luck < mortality) {
                restart(15);
            } else if (luck < mortality + 0.07) {
                process.threads().standStill(random.seconds(1, 25));
            } else if (luck < mortality + 0.14) {
                line.cut(agenda.now() + random.seconds(5, 30));
            } else if (luck < mortality + 0.18) {
                process.threads().refuseThreads(agenda.now() + random.seconds(1, renewing ? 3 : 15));
            } else if (luck < mortality + 0.22) {
                line.throwErrors();
            } else if (luck < mortality + 0.26) {
                failRelease();
            } else if (luck < mortality + 0.32 && !renewing) {
                answerLate();
            } else if (luck < mortality + 0.41) {
                process.resign(anElection(), Duration.ofSeconds(random.below(5)));
            }
        }

        private void restart(double mostSeconds) {
            if (!process.isAlive()) {
                return;
            }
            process.die();
            agenda.after(random.seconds(0.1, mostSeconds), () -> {
                line = new Line(store, random.split(), watched);
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
         * Delays answers so that this process learns late that it was elected.
         *
         * <p>By then it has lost its session and holds another session record, because a process that started meanwhile
         * has taken the first one.
         */
        private void answerLate() {
            Line present = line;
            long late = random.seconds(2, 5);
            present.answerLate(agenda.now() + late);
            agenda.after(late, () -> present.cut(agenda.now() + random.seconds(15, 20)));
            hosts.stream().filter(each -> each != this).forEach(each -> {
                ELECTIONS.forEach(election -> each.process.resign(election, TTL));
                if (each.befallen || lateOnly) {
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
