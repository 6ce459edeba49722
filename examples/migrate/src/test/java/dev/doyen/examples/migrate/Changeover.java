package dev.doyen.examples.migrate;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Moves three instances from one release to the next, one by one. The order of the instances is random. For each
 * instance, it is also random whether the new one starts before or after the old one closes.
 */
final class Changeover {

    private static final int INSTANCES = 3;

    private final Shifts shifts;
    private final Random random;
    private final List<AutoCloseable> running = new ArrayList<>();

    Changeover(Shifts shifts, long seed) {
        this.shifts = shifts;
        this.random = new Random(seed);
    }

    /** A release whose instances can be started. The method {@code close} of an instance has the effect of SIGTERM. */
    interface Release {
        AutoCloseable start(String id) throws Exception;
    }

    void run(Release first, Release... next) throws Exception {
        try {
            for (int i = 0; i < INSTANCES; i++) {
                running.add(first.start("release 1, " + i));
            }
            shifts.awaitWork();
            for (int i = 0; i < next.length; i++) {
                roll(next[i], i + 2);
            }
        } finally {
            for (AutoCloseable instance : running) {
                instance.close();
            }
        }
    }

    private void roll(Release release, int number) throws Exception {
        List<Integer> order =
                new ArrayList<>(IntStream.range(0, INSTANCES).boxed().toList());
        Collections.shuffle(order, random);
        for (int i : order) {
            String id = "release " + number + ", " + i;
            boolean newOneFirst = random.nextBoolean();
            if (newOneFirst) {
                AutoCloseable old = running.set(i, release.start(id));
                old.close();
            } else {
                running.get(i).close();
                running.set(i, release.start(id));
            }
            shifts.awaitWork();
        }
    }
}
