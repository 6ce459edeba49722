package dev.doyen.channel.roll;

import dev.doyen.mutants.SeededWorld;
import java.util.TreeMap;

/** A world of members on a channel. */
public final class RollSeedRun implements SeededWorld {

    @Override
    public void run(long seed) {
        new RollWorld(seed, new TreeMap<>()).run();
    }
}
