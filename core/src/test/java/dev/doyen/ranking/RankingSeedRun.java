package dev.doyen.ranking;

import dev.doyen.mutants.SeededWorld;
import java.util.TreeMap;

/** A world whose hub grants claims. */
public final class RankingSeedRun implements SeededWorld {

    @Override
    public void run(long seed) {
        new RankingWorld(seed, true, new TreeMap<>()).run();
    }

    /** One whose hub grants nothing. */
    public static final class WithoutClaims implements SeededWorld {

        @Override
        public void run(long seed) {
            new RankingWorld(seed, false, new TreeMap<>()).run();
        }
    }
}
