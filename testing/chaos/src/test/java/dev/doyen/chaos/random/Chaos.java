package dev.doyen.chaos.random;

import dev.doyen.chaos.hostile.HostileReport;
import dev.doyen.chaos.hostile.HostileRun;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.logging.LogManager;

/** The main class of the command {@code ./dev chaos}. */
public final class Chaos {

    private static final String USAGE = """
            usage: ./dev chaos [STORE..] [hostile] [--minutes N] [--seed S]

              STORE        postgres, postgres-session, zookeeper, redis, kubernetes, quorum or quorum-network; one after the
                           other. quorum-network needs root. Default: all
              hostile      ten hostile visitors attack a hub that 100 other clients use
              --minutes N  how long faults are injected, for each store: 1 to 10000. Default: 30
              --seed S     a number that decides the faults. Default: a random one

            Exit code: 0 if all rules held, 1 if not, 2 if the arguments are wrong.""";

    private static final int MAX_MINUTES = 10_000;

    private Chaos() {}

    /**
     * Runs the command.
     *
     * @param args the directory for the files of the runs, then the arguments of the command
     */
    public static void main(String[] args) throws Exception {
        List<ChaosStore> stores = new ArrayList<>();
        boolean hostile = false;
        long minutes = 30;
        long seed = ThreadLocalRandom.current().nextInt(1_000_000);
        try {
            for (int i = 1; i < args.length; i++) {
                switch (args[i]) {
                    case "--minutes" -> minutes = number(args, ++i, 1, MAX_MINUTES);
                    case "--seed" -> seed = number(args, ++i, Long.MIN_VALUE, Long.MAX_VALUE);
                    case "hostile" -> hostile = true;
                    default -> stores.add(store(args[i]));
                }
            }
        } catch (IllegalArgumentException e) {
            System.err.println("chaos: " + e.getMessage() + "\n" + USAGE);
            System.exit(2);
        }
        // Without the reset, the servers of the stores would log each start and stop to the console of this command.
        LogManager.getLogManager().reset();
        boolean good = true;
        List<ChaosStore> all = hostile ? List.of() : Arrays.asList(ChaosStore.values());
        for (ChaosStore each : stores.isEmpty() ? all : stores) {
            good &= run(each, minutes, seed, Path.of(args[0], each.argument() + "-" + seed));
        }
        if (hostile) {
            Path dir = Path.of(args[0], "hostile-" + seed);
            System.out.println("./dev chaos hostile --minutes " + minutes + " --seed " + seed + "\nfiles: " + dir);
            HostileReport report = HostileRun.run(dir, Duration.ofMinutes(minutes), seed);
            System.out.print(report.text());
            good &= report.isGood();
        }
        System.exit(good ? 0 : 1);
    }

    private static boolean run(ChaosStore store, long minutes, long seed, Path dir) throws Exception {
        String again = "./dev chaos " + store.argument() + " --minutes " + minutes + " --seed " + seed;
        System.out.println(again + "\nledgers and logs: " + dir);
        try (var run = new ChaosRun(store, seed, store.faults(), dir)) {
            ChaosReport report = run.run(Duration.ofMinutes(minutes), Integer.MAX_VALUE);
            System.out.print(report.table());
            if (!report.isGood()) {
                System.out.println("Seed " + seed + ". Repeat with: " + again);
            }
            return report.isGood();
        }
    }

    private static ChaosStore store(String name) {
        return ChaosStore.of(name).orElseThrow(() -> new IllegalArgumentException("\"" + name + "\" is not a store"));
    }

    private static long number(String[] args, int index, long least, long most) {
        if (index == args.length) {
            throw new IllegalArgumentException(args[index - 1] + " needs a number");
        }
        try {
            long value = Long.parseLong(args[index]);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            // The exception below names the expected values.
        }
        throw new IllegalArgumentException(
                args[index - 1] + " is " + args[index] + "; it must be a whole number from " + least + " to " + most);
    }
}
