package dev.doyen.simulator;

import dev.doyen.mutants.Fate;
import dev.doyen.mutants.Mutant;
import dev.doyen.mutants.SourceTree;
import dev.doyen.simulator.mutants.MutantTable;
import dev.doyen.simulator.mutants.SessionMutants;
import dev.doyen.simulator.mutants.Sources;
import dev.doyen.simulator.sessions.SessionSeedRun;
import dev.doyen.simulator.world.Trace;
import java.io.PrintStream;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The program behind {@code ./dev sim}.
 *
 * <p>The exit code is 1 if a run broke a promise, or if a mutant was not caught. The exit code is 2 if an argument is
 * wrong, and otherwise 0.
 */
public final class Main {

    private static final String USAGE = """
            usage: ./dev sim SEED            replays one seed and prints every event
                   ./dev sim --runs N [SEED] runs N seeds from SEED (default: 1) on all cores, until one has a violation
                   ./dev sim --mutants       breaks each rule on purpose and prints which seed detects it
            """;

    /**
     * The logger of thousands of simulated processes. This constant references the logger, because the JDK forgets
     * the level of a logger without a reference.
     */
    private static final Logger DRIVER = Logger.getLogger("dev.doyen");

    /** The maximum number of runs within which an invariant must catch a mutant. */
    public static final int MUTANT_RUNS = 20_000;

    /** The maximum number of runs for session mutants, whose runs take longer. */
    public static final int SESSION_MUTANT_RUNS = 2_000;

    private Main() {}

    public static void main(String[] args) throws Exception {
        DRIVER.setLevel(Level.OFF);
        System.exit(run(args, System.out));
    }

    static int run(String[] args, PrintStream out) throws Exception {
        if (args.length == 1 && args[0].equals("--mutants")) {
            return mutants(out);
        }
        Optional<long[]> numbers = numbers(args);
        if (numbers.isEmpty()) {
            out.print(USAGE);
            return 2;
        }
        long[] found = numbers.get();
        return args[0].equals("--runs") ? batch(found[0], found.length > 1 ? found[1] : 1, out) : replay(found[0], out);
    }

    private static Optional<long[]> numbers(String[] args) {
        int from = args.length > 0 && args[0].equals("--runs") ? 1 : 0;
        int count = args.length - from;
        if (count < 1 || count > from + 1) {
            return Optional.empty();
        }
        try {
            long[] numbers = new long[count];
            for (int i = 0; i < count; i++) {
                numbers[i] = Long.parseLong(args[from + i]);
            }
            return Optional.of(numbers);
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static int replay(long seed, PrintStream out) {
        Simulation.Outcome outcome = Simulation.run(seed, Trace.to(out::println));
        out.println();
        out.println(outcome.tally().perRun(1));
        out.println("seed " + seed + ": "
                + outcome.violation()
                        .map(violation -> "VIOLATED " + violation.sentence())
                        .orElse("all promises kept"));
        return outcome.violation().isPresent() ? 1 : 0;
    }

    private static int batch(long runs, long firstSeed, PrintStream out) throws InterruptedException {
        long began = System.nanoTime();
        long step = Math.max(1, Math.min(runs / 10, 20_000));
        SeedBatch.Result result =
                SeedBatch.run(firstSeed, runs, Runtime.getRuntime().availableProcessors(), done -> {
                    if (done % step == 0) {
                        double seconds = (System.nanoTime() - began) / 1e9;
                        out.printf("%d of %d runs, %.0f runs/s%n", done, runs, done / seconds);
                    }
                });
        out.println(result.total().perRun(result.runs()));
        if (result.violation().isPresent()) {
            Simulation.Outcome found = result.violation().get();
            out.println("VIOLATED " + found.violation().orElseThrow().sentence());
            out.println("replay it with: ./dev sim " + found.seed());
            return 1;
        }
        out.println(result.runs() + " runs from seed " + firstSeed + " on: all promises kept");
        return 0;
    }

    private static int mutants(PrintStream out) throws Exception {
        int alive = 0;
        out.printf("%-5s %-62s %8s  %s%n", "rule", "mutant", "seed", "caught by");
        SourceTree sources = Sources.find();
        for (Mutant mutant : MutantTable.ALL) {
            alive += printFate(out, mutant, mutant.hunt(SeedRun.class, sources, MUTANT_RUNS));
        }
        for (Mutant mutant : SessionMutants.ALL) {
            alive += printFate(out, mutant, mutant.hunt(SessionSeedRun.class, sources, SESSION_MUTANT_RUNS));
        }
        out.println(
                alive == 0
                        ? "all mutants were caught"
                        : alive + " mutants were not caught in " + MUTANT_RUNS + " runs");
        return alive == 0 ? 0 : 1;
    }

    /** Prints the result of a mutant. Returns 1 if no run caught the mutant, else 0. */
    private static int printFate(PrintStream out, Mutant mutant, Fate fate) {
        out.printf(
                "%-5s %-62s %8s  %s%n",
                mutant.rule(),
                mutant.name(),
                fate.isAlive() ? "-" : fate.seed(),
                fate.isAlive() ? "NOBODY" : fate.by());
        return fate.isAlive() ? 1 : 0;
    }
}
