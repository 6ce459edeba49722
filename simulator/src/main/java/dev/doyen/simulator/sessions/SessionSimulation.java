package dev.doyen.simulator.sessions;

import dev.doyen.lease.LeaseTiming;
import dev.doyen.simulator.world.Agenda;
import dev.doyen.simulator.world.Dice;
import dev.doyen.simulator.world.SimClock;
import dev.doyen.simulator.world.Violation;
import dev.doyen.store.MemoryLeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One run of the shipped driver and machine: three processes contest four elections, each process under one session, at
 * times one that renews each lease by itself beside them. {@value #FAULTY_SECONDS} simulated seconds of faults, then
 * healing.
 */
public final class SessionSimulation {

    static final int FAULTY_SECONDS = 160;

    private static final long SECOND = 1_000_000_000L;
    private static final Duration TTL = Duration.ofSeconds(10);

    /** Two ttl for a dead session to be seen silent and its record taken, one for work that will not stop, and looks. */
    private static final long HEALING_SECONDS = 120;

    private static final double RHO = 0.1;
    private static final int PROCESSES = 3;
    private static final List<String> ELECTIONS = List.of("a", "b", "c", "d");

    private final Dice dice;
    private final Agenda agenda = new Agenda();
    private final MemoryLeaseStore store = new MemoryLeaseStore();
    private final SessionWitness witness = new SessionWitness();
    private final List<Host> hosts = new ArrayList<>();
    private final boolean watched;
    private boolean faulty = true;

    private SessionSimulation(long seed) {
        dice = new Dice(seed);
        watched = dice.chance(0.5);
        for (int i = 0; i < PROCESSES; i++) {
            hosts.add(new Host("p" + i, dice.chance(0.85)));
        }
    }

    /** What came of a seed: the same each time. */
    public record Outcome(long seed, Optional<Violation> violation, long terms) {}

    public static Outcome run(long seed) {
        var simulation = new SessionSimulation(seed);
        try {
            simulation.run();
            return new Outcome(seed, Optional.empty(), simulation.witness.terms());
        } catch (Violation violation) {
            return new Outcome(seed, Optional.of(violation), simulation.witness.terms());
        }
    }

    private void run() {
        hosts.forEach(Host::begin);
        agenda.runUntil(FAULTY_SECONDS * SECOND);
        faulty = false;
        hosts.forEach(Host::heal);
        agenda.runUntil(agenda.now() + HEALING_SECONDS * SECOND);
        witness.healed(ELECTIONS, agenda.now());
    }

    /** A machine on which one process runs at a time, again and again. */
    private final class Host {
        private final String id;
        private final boolean underSession;
        private final SimClock clock;
        private int life;
        private Line line;
        private SessionProcess process;

        Host(String id, boolean underSession) {
            this.id = id;
            this.underSession = underSession;
            double rate = dice.chance(0.5) ? (dice.chance(0.5) ? 1 - RHO : 1 + RHO) : dice.between(1 - RHO, 1 + RHO);
            this.clock = new SimClock(agenda, rate, rate, dice.next() >> 1, dice.below(1_000_000_000));
            this.line = new Line(store, dice.split(), watched);
            this.process = live(line);
        }

        private SessionProcess live(Line through) {
            return new SessionProcess(
                    witness,
                    agenda,
                    dice.split(),
                    clock,
                    through,
                    LeaseTiming.ofTtl(TTL),
                    id,
                    ++life,
                    underSession,
                    ELECTIONS);
        }

        void begin() {
            agenda.after(dice.seconds(0, 3), this::mishap);
        }

        /** Every few seconds something befalls the process, or the people who run it want something. */
        private void mishap() {
            if (!faulty) {
                return;
            }
            agenda.after(dice.seconds(1, 6), this::mishap);
            double luck = dice.unit();
            if (luck < 0.07) {
                process.threads().standStill(dice.seconds(1, 25));
            } else if (luck < 0.14) {
                line.cut(agenda.now() + dice.seconds(5, 30));
            } else if (luck < 0.18 && process.isAlive()) {
                process.die();
                agenda.after(dice.seconds(0.1, 15), () -> {
                    line = new Line(store, dice.split(), watched);
                    process = live(line);
                    if (!faulty) {
                        line.heal();
                    }
                });
            } else if (luck < 0.30) {
                process.resignOne();
            }
        }

        void heal() {
            line.heal();
        }
    }
}
