package dev.doyen.simulator;

import dev.doyen.simulator.sessions.SessionSimulation;
import dev.doyen.simulator.world.Trace;
import java.util.ArrayList;
import java.util.List;

/**
 * Computes a digest of the trace of each seed.
 *
 * <p>The program prints a line for each seed from its first argument to its second. The order can be descending.
 */
final class SessionDigests {

    private SessionDigests() {}

    public static void main(String[] args) {
        Quietly.turnLogOff();
        of(Long.parseLong(args[0]), Long.parseLong(args[1])).forEach(System.out::println);
    }

    /** Returns a line for each seed, in the order of the runs. */
    static List<String> of(long first, long last) {
        List<String> digests = new ArrayList<>();
        int step = first <= last ? 1 : -1;
        for (long seed = first; seed != last + step; seed += step) {
            var digest = new long[1];
            SessionSimulation.run(seed, Trace.to(line -> digest[0] = 31 * digest[0] + line.hashCode()));
            digests.add("seed " + seed + ": " + Long.toHexString(digest[0]));
        }
        return digests;
    }
}
