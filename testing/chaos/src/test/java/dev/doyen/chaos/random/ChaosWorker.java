package dev.doyen.chaos.random;

import dev.doyen.Election;
import dev.doyen.Elections;
import dev.doyen.LeaseCandidate;
import dev.doyen.LeaseLeadership;
import dev.doyen.chaos.random.LedgerLine.What;
import dev.doyen.election.NotLeaderException;
import dev.doyen.event.SavedState;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.stores.quorum.QuorumLeaseStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A process of a chaos test. The process is a candidate in each election.
 *
 * <p>While the process leads an election, it increments a count and saves the count. It also samples whether it leads,
 * and appends the samples to its ledger. The process reads commands from standard input: {@code errors MILLIS}, {@code
 * hang ELECTION MILLIS} and {@code transfer ELECTION ID}. The process ends when standard input ends.
 *
 * <p>All elections of a process use the same store object, because a member of a quorum can open its store only once.
 */
public final class ChaosWorker {

    private static final long SAVE_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** On average, the work of one in {@value} terms ignores its interrupt. */
    private static final int HANGING_TERMS = 4;

    private final String id;
    private final boolean sharedSession;
    private final String url;
    private final Duration ttl;
    private final LedgerWriter ledger;
    private final Random random;
    private final ErrorStore.Switch errors = new ErrorStore.Switch();
    private final Map<String, Election> elections = new LinkedHashMap<>();
    private final Map<String, LeaseCandidate> candidates = new LinkedHashMap<>();
    private final Map<String, Long> hangs = new ConcurrentHashMap<>();
    private volatile boolean ending;

    private ChaosWorker(Arguments arguments) throws IOException {
        this.id = arguments.id;
        this.sharedSession = arguments.sharedSession;
        this.url = arguments.url;
        this.ttl = Duration.ofMillis(arguments.ttlMillis);
        this.ledger = new LedgerWriter(arguments.ledger);
        this.random = new Random(arguments.seed);
    }

    /**
     * The command line of a worker.
     *
     * @param sharedSession true if all elections share one session; false if each election has its own lease
     * @param seed the seed that determines in which terms the work hangs, and for how long
     */
    record Arguments(
            String id,
            boolean sharedSession,
            String url,
            long ttlMillis,
            Path ledger,
            long seed,
            List<String> elections) {

        List<String> asList() {
            return List.of(
                    id,
                    Boolean.toString(sharedSession),
                    url,
                    Long.toString(ttlMillis),
                    ledger.toString(),
                    Long.toString(seed),
                    String.join(",", elections));
        }

        private static Arguments of(String[] args) {
            return new Arguments(
                    args[0],
                    Boolean.parseBoolean(args[1]),
                    args[2],
                    Long.parseLong(args[3]),
                    Path.of(args[4]),
                    Long.parseLong(args[5]),
                    List.of(args[6].split(",")));
        }
    }

    /**
     * Runs the process.
     *
     * @param args see {@link Arguments}
     */
    public static void main(String[] args) throws Exception {
        Arguments arguments = Arguments.of(args);
        new ChaosWorker(arguments).run(arguments.elections);
    }

    private void run(List<String> names) throws Exception {
        AutoCloseable all = open(names);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(all), "ends"));
        candidates.forEach((name, candidate) -> daemon("works-" + name, () -> lead(name, candidate)));
        daemon("samples", new LeaderSampler(ledger, candidates)::run);
        System.out.println("joined");
        obey();
        Runtime.getRuntime().halt(3);
    }

    private AutoCloseable open(List<String> names) throws InterruptedException {
        LeaseStore store = store();
        List<AutoCloseable> opened = new ArrayList<>();
        if (sharedSession) {
            Elections session =
                    Elections.lease().store(store).ttl(ttl).process(id).open();
            names.forEach(name -> elections.put(name, session.named(name)));
            opened.add(session);
        } else {
            names.forEach(name -> elections.put(
                    name, Election.lease(name).store(store).ttl(ttl).open()));
            opened.addAll(elections.values());
        }
        elections.forEach((name, election) -> candidates.put(name, election.join(id)));
        opened.add(store);
        return () -> {
            for (AutoCloseable each : opened) {
                each.close();
            }
        };
    }

    private LeaseStore store() throws InterruptedException {
        while (true) {
            try {
                LeaseStore opened = LeaseStore.open(url);
                if (opened instanceof QuorumLeaseStore quorum && QuorumLeaseStore.isMember(url)) {
                    daemon("samples-log", new LogLeaderSampler(ledger, quorum)::run);
                }
                return new ErrorStore(opened, errors);
            } catch (StoreUnavailableException e) {
                System.err.println("opening the store failed and is tried again: " + e.getMessage());
                TimeUnit.MILLISECONDS.sleep(100);
            }
        }
    }

    private void close(AutoCloseable all) {
        ending = true;
        try {
            all.close();
        } catch (Exception e) {
            System.err.println("the elections could not be closed: " + e);
        }
    }

    private void obey() throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] parts = line.split(" ", -1);
            switch (parts[0]) {
                case "errors" -> errors.on(TimeUnit.MILLISECONDS.toNanos(Long.parseLong(parts[1])));
                case "hang" -> {
                    hangs.put(parts[1], TimeUnit.MILLISECONDS.toNanos(Long.parseLong(parts[2])));
                    candidates.get(parts[1]).resign();
                }
                default -> transfer(parts[1], parts[2]);
            }
        }
    }

    private void transfer(String election, String to) {
        try {
            elections.get(election).control(id).transferTo(to, "for the test");
        } catch (RuntimeException e) {
            // A test that needs the transfer sends the command again.
            System.err.println(election + ": not transferred to " + to + ": " + e);
        }
    }

    private void lead(String election, LeaseCandidate candidate) {
        while (!ending) {
            try {
                candidate.whileLeading(leadership -> work(election, leadership));
            } catch (NotLeaderException e) {
                // The work threw this exception because its term has ended.
            } catch (InterruptedException e) {
                System.err.println(election + ": interrupted outside a term");
            } catch (RuntimeException | Error e) {
                System.err.println(election + ": " + e);
            }
        }
    }

    private void work(String election, LeaseLeadership leadership) throws InterruptedException {
        long hanging = plannedHang();
        try {
            count(election, leadership);
        } finally {
            Long requested = hangs.remove(election);
            hang(election, leadership.term(), requested == null ? hanging : requested);
        }
    }

    private long plannedHang() {
        synchronized (random) {
            double ttls = 0.5 + 1.5 * random.nextDouble();
            return random.nextInt(HANGING_TERMS) == 0 ? (long) (ttl.toNanos() * ttls) : 0;
        }
    }

    /**
     * Increments and saves the count until the term ends.
     *
     * <p>If the term ends during a save, the method throws a {@link NotLeaderException}. If the term ends during a
     * wait, the method throws this exception in an odd term, and returns in an even term. The interrupt at the end of a
     * term can arrive before that. The method then throws an {@link InterruptedException}.
     */
    private void count(String election, LeaseLeadership leadership) throws InterruptedException {
        String text = leadership.state().text();
        long count = text.isEmpty() ? 0 : Long.parseLong(text);
        ledger.note(What.FOUND, election, leadership.term(), count);
        while (leadership.isCertain()) {
            count++;
            leadership.save(SavedState.ofText(Long.toString(count)));
            ledger.note(What.SAVED, election, leadership.term(), count);
            long pauseEnd = System.nanoTime() + SAVE_EVERY_NANOS;
            while (System.nanoTime() - pauseEnd < 0) {
                if (leadership.term() % 2 == 1) {
                    leadership.check();
                } else if (!leadership.isCertain()) {
                    return;
                }
                TimeUnit.MILLISECONDS.sleep(5);
            }
        }
    }

    private void hang(String election, long term, long nanos) {
        if (nanos == 0) {
            return;
        }
        long end = System.nanoTime() + nanos;
        ledger.note(What.HANGS, election, term, end);
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(end - System.nanoTime());
            Thread.interrupted();
        }
    }

    private static void daemon(String name, Runnable task) {
        var thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }
}
