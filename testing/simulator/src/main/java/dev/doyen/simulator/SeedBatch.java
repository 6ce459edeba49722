package dev.doyen.simulator;

import dev.doyen.simulator.world.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs many seeds on several threads, until one seed causes a violation.
 *
 * <p>Without a violation, all seeds run. The outcome of a seed does not depend on the threads.
 */
public final class SeedBatch {

    private final Tally total = new Tally();
    private long done;
    private Simulation.@Nullable Outcome worst;
    private @Nullable IllegalStateException failure;

    /**
     * The result of all runs.
     *
     * @param violation the outcome with a violation; if there are several, the outcome with the lowest seed
     */
    public record Result(long runs, Optional<Simulation.Outcome> violation, Tally total) {}

    /**
     * Runs the seeds.
     *
     * @param progress the callback that receives the number of finished runs after each run, on any thread
     * @throws IllegalStateException if the simulator itself fails
     */
    public static Result run(long firstSeed, long runs, int threads, LongConsumer progress)
            throws InterruptedException {
        var batch = new SeedBatch();
        var next = new AtomicLong(firstSeed);
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            var worker = new Thread(
                    () -> {
                        long seed = next.getAndIncrement();
                        try {
                            while (seed < firstSeed + runs && !batch.isOver()) {
                                progress.accept(batch.add(Simulation.run(seed, Trace.NONE)));
                                seed = next.getAndIncrement();
                            }
                        } catch (RuntimeException e) {
                            batch.fail(new IllegalStateException("the simulator itself failed at seed " + seed, e));
                        }
                    },
                    "simulator-" + i);
            worker.start();
            workers.add(worker);
        }
        for (Thread worker : workers) {
            worker.join();
        }
        return batch.result();
    }

    private synchronized boolean isOver() {
        return worst != null || failure != null;
    }

    private synchronized void fail(IllegalStateException e) {
        failure = e;
    }

    private synchronized long add(Simulation.Outcome outcome) {
        total.add(outcome.tally());
        if (outcome.violation().isPresent() && (worst == null || outcome.seed() < worst.seed())) {
            worst = outcome;
        }
        return ++done;
    }

    private synchronized Result result() {
        if (failure != null) {
            throw failure;
        }
        return new Result(done, Optional.ofNullable(worst), total);
    }
}
