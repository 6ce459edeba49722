package dev.doyen.roster;

import dev.doyen.mutants.SeededWorld;
import java.util.TreeMap;

/** A world of the roster machine. */
public final class RosterSeedRun implements SeededWorld {

    @Override
    public void run(long seed) {
        new RosterWorld(seed, new TreeMap<>()).run();
    }
}
