package dev.doyen.chaos.random;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * The planned faults of a run, drawn from a seed. Each round contains every kind of fault once, in random order.
 *
 * <p>The same seed gives the same plan. The plan determines the election that a fault affects, but not the victim. The
 * victim is the process that leads this election, or the quorum's log, when the fault begins. Threads: one.
 */
final class FaultPlan {

    private final Random random;
    private final List<FaultKind> kinds;
    private final int elections;
    private final Duration ttl;
    private final Deque<FaultKind> round = new ArrayDeque<>();

    /**
     * One planned fault.
     *
     * @param election the index of the election whose leader the fault affects
     * @param lasts the duration of the fault; zero for an instantaneous fault
     * @param restartAfter the time after which a new process replaces a process that the fault has ended
     * @param calm the time to wait before the fault begins
     */
    record Planned(FaultKind kind, int election, Duration lasts, Duration restartAfter, Duration calm) {}

    FaultPlan(long seed, List<FaultKind> kinds, int elections, Duration ttl) {
        this.random = new Random(seed);
        this.kinds = List.copyOf(kinds);
        this.elections = elections;
        this.ttl = ttl;
    }

    Planned next() {
        if (round.isEmpty()) {
            List<FaultKind> shuffled = new ArrayList<>(kinds);
            Collections.shuffle(shuffled, random);
            round.addAll(shuffled);
        }
        FaultKind kind = round.remove();
        return new Planned(kind, random.nextInt(elections), lasts(kind), ttlTimes(0, 2), ttlTimes(0, 1));
    }

    private Duration lasts(FaultKind kind) {
        return switch (kind) {
            case KILL, TERMINATE, LOG_LEADER_KILL, LOG_LEADER_TERMINATE -> Duration.ZERO;
            case STOP_SHORT -> ttlTimes(0.1, 0.9);
            case STOP_LONG, HANG -> ttlTimes(1.2, 3);
            case ERRORS -> ttlTimes(0.05, 2.5);
            default -> ttlTimes(0.1, 2.5);
        };
    }

    private Duration ttlTimes(double least, double most) {
        return Duration.ofMillis((long) (ttl.toMillis() * (least + random.nextDouble() * (most - least))));
    }
}
