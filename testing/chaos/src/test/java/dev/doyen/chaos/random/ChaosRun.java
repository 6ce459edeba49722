package dev.doyen.chaos.random;

import dev.doyen.chaos.random.ChaosJudge.Interval;
import dev.doyen.chaos.random.FaultPlan.Planned;
import dev.doyen.chaos.random.LedgerLine.What;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * One chaos test with a store, candidates in three elections, and a series of faults.
 *
 * <p>Before each fault, the run waits until the processes have settled: every process is a candidate in every election,
 * no work of an ended term ignores its interrupt, and every election has a leader.
 *
 * <p>All files are in one directory: the ledgers and logs of the processes, and {@code run.log} with the faults.
 * Threads: one.
 */
final class ChaosRun implements AutoCloseable {

    static final Duration TTL = Duration.ofSeconds(2);

    private static final List<String> ELECTIONS = List.of("chaos-1", "chaos-2", "chaos-3");
    private static final long READ_EVERY_MILLIS = 50;
    private static final long LED_WITHIN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(5);
    private static final long PROGRESS_EVERY_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final ChaosStore kind;
    private final Path dir;
    private final PrintWriter log;
    private final ChaosTarget target;
    private final FaultPlan plan;
    private final ChaosJudge judge = new ChaosJudge(TTL);
    private final ChaosProcesses processes;
    private final List<String> troubles = new ArrayList<>();
    private final long started = System.nanoTime();
    private long progressAt = started + PROGRESS_EVERY_NANOS;
    private long longestStall;

    /**
     * Prepares the run.
     *
     * @param dir the directory of the run, which the constructor empties first
     */
    ChaosRun(ChaosStore kind, long seed, List<FaultKind> faults, Path dir) throws Exception {
        this.kind = kind;
        this.dir = emptied(dir);
        this.log = new PrintWriter(Files.newBufferedWriter(dir.resolve("run.log"), StandardCharsets.UTF_8), true);
        this.plan = new FaultPlan(seed, faults, ELECTIONS.size(), TTL);
        this.target = kind.open(TTL);
        this.processes = new ChaosProcesses(
                target, new ChaosProcesses.Settings(kind, this.dir, seed, TTL, ELECTIONS), this::noteLine);
    }

    /** Creates the directory, or deletes the files in it. */
    static Path emptied(Path dir) throws IOException {
        if (Files.isDirectory(dir)) {
            try (Stream<Path> files = Files.list(dir)) {
                for (Path each : files.toList()) {
                    Files.delete(each);
                }
            }
        }
        return Files.createDirectories(dir);
    }

    /**
     * Injects faults, and then judges the ledgers.
     *
     * <p>The run begins no fault after the time {@code atMost}, and at most {@code faults} faults.
     */
    ChaosReport run(Duration atMost, int faults) throws Exception {
        processes.startAll();
        awaitSettled(System.nanoTime());
        int injected = 0;
        while (injected < faults && System.nanoTime() - started < atMost.toNanos()) {
            if (inject(injected + 1, plan.next())) {
                injected++;
            }
        }
        long end = System.nanoTime();
        processes.read();
        return report(end);
    }

    private ChaosReport report(long end) {
        return new ChaosReport(kind.argument(), judge, end, Duration.ofNanos(longestStall), troubles);
    }

    /** Injects a fault. If no process leads, the method injects no fault and returns false. */
    private boolean inject(int number, Planned planned) throws Exception {
        pause(planned.calm());
        Optional<ChaosProcess> leader = leader(planned);
        if (leader.isEmpty()) {
            // The leader was lost after the processes had settled. If the last fault was more than a ttl before the
            // loss, the judge assigns the recovery to no fault.
            awaitSettled(System.nanoTime());
            leader = leader(planned);
        }
        if (leader.isEmpty()) {
            return false;
        }
        ChaosProcess victim = leader.get();
        long begin = System.nanoTime();
        note("fault " + number + " " + planned + " of " + victim.id() + " begins at " + begin);
        carryOut(planned, victim);
        if (planned.kind().stopsStore()) {
            awaitJoined();
        }
        long from = planned.kind().stopsStore() ? System.nanoTime() : begin;
        processes.read();
        judge.note(new Fault(number, planned.kind(), begin, from, limit(planned.kind(), victim, begin)));
        if (planned.kind().endsProcess()) {
            pause(planned.restartAfter());
            processes.replace(victim);
        }
        awaitSettled(Math.max(begin + planned.lasts().toNanos(), from + TTL.toNanos()));
        return true;
    }

    /**
     * Injects the fault, and returns when the fault has ended. For HANG and ERRORS, only sends the command to the
     * victim.
     */
    private void carryOut(Planned planned, ChaosProcess victim) throws Exception {
        switch (planned.kind()) {
            case KILL, LOG_LEADER_KILL -> victim.close();
            case TERMINATE, LOG_LEADER_TERMINATE -> terminate(victim);
            case STOP_SHORT, STOP_LONG, LOG_LEADER_STOP -> {
                victim.stop();
                pause(planned.lasts());
                victim.goOn();
            }
            case HANG ->
                victim.writeLine("hang " + ELECTIONS.get(planned.election()) + " "
                        + planned.lasts().toMillis());
            case ERRORS -> victim.writeLine("errors " + planned.lasts().toMillis());
            default -> {
                ChaosTarget.Ending fault = target.begin(planned.kind(), victim, processes);
                pause(planned.lasts());
                fault.end();
            }
        }
    }

    private Optional<ChaosProcess> leader(Planned planned) {
        return planned.kind().hitsLogLeader() ? processes.logLeader() : leader(ELECTIONS.get(planned.election()));
    }

    private void terminate(ChaosProcess victim) throws InterruptedException {
        try {
            victim.terminateAndWait();
        } catch (IOException e) {
            trouble(e.getMessage());
            victim.close();
        }
    }

    /**
     * Returns the limit of the recovery. The limit is longer if another process must first fence the victim's session.
     */
    private Duration limit(FaultKind fault, ChaosProcess victim, long begin) {
        boolean fence = fault.endsSession() || (fault == FaultKind.TERMINATE && victim.hangsAt(begin));
        return kind.sharedSession() && fence ? TTL.multipliedBy(3) : TTL.plusSeconds(2);
    }

    /** Returns the process that leads this election now. */
    private Optional<ChaosProcess> leader(String election) {
        return judge.lastIn(election)
                .filter(last -> System.nanoTime() - last.last() < LED_WITHIN_NANOS)
                .map(Interval::process)
                .flatMap(processes::alive);
    }

    /**
     * Waits until this stamp has passed and the processes have settled.
     *
     * <p>The Javadoc of this class defines when the processes have settled. The method also replaces processes that
     * ended without a fault.
     */
    private void awaitSettled(long notBefore) throws Exception {
        long end = notBefore + PATIENCE_NANOS;
        do {
            pause(Duration.ofMillis(READ_EVERY_MILLIS));
            replaceDead();
            if (System.nanoTime() - end > 0) {
                String late = "the processes have not settled after " + TimeUnit.NANOSECONDS.toSeconds(PATIENCE_NANOS)
                        + " s; elections with a leader: "
                        + ELECTIONS.stream()
                                .filter(each -> leader(each).isPresent())
                                .toList()
                        + ", processes that have joined: "
                        + processes.all().stream()
                                .filter(ChaosProcess::hasJoined)
                                .map(ChaosProcess::id)
                                .toList();
                trouble(late);
                return;
            }
        } while (System.nanoTime() - notBefore < 0 || !isSettled());
    }

    /** Waits until all processes are candidates in all elections. */
    private void awaitJoined() throws Exception {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (!processes.haveAllJoined()) {
            if (System.nanoTime() - end > 0) {
                trouble("not all processes have joined again " + TimeUnit.NANOSECONDS.toSeconds(PATIENCE_NANOS)
                        + " s after the fault");
                return;
            }
            pause(Duration.ofMillis(READ_EVERY_MILLIS));
        }
    }

    /** Replaces each process that ended without a fault, and records it as a failure of the run. */
    private void replaceDead() throws IOException {
        for (ChaosProcess each : processes.all()) {
            if (!each.isAlive()) {
                trouble(each.id() + " ended by itself; see its log");
                processes.replace(each);
            }
        }
    }

    private boolean isSettled() {
        long now = System.nanoTime();
        return processes.haveAllJoined()
                && processes.all().stream().noneMatch(each -> each.hangsAt(now))
                && ELECTIONS.stream().allMatch(each -> leader(each).isPresent());
    }

    /** Waits for this time. During the wait, the method reads the ledgers and prints the progress. */
    private void pause(Duration lasts) throws Exception {
        long end = System.nanoTime() + lasts.toNanos();
        long left = lasts.toNanos();
        while (left > 0) {
            TimeUnit.NANOSECONDS.sleep(Math.min(left, TimeUnit.MILLISECONDS.toNanos(READ_EVERY_MILLIS)));
            processes.read();
            long now = System.nanoTime();
            if (now - progressAt >= 0) {
                progressAt += PROGRESS_EVERY_NANOS;
                System.out.println(report(now).progress(Duration.ofNanos(now - started)));
            }
            left = end - now;
        }
    }

    private void noteLine(String id, LedgerLine line) {
        judge.note(id, line);
        if (line.what() == What.STALLED) {
            longestStall = Math.max(longestStall, line.value());
        }
    }

    private void trouble(String text) {
        troubles.add(text);
        note("trouble: " + text);
    }

    private void note(String text) {
        log.println(LocalTime.now(ZoneId.systemDefault()) + " " + text);
    }

    @Override
    public void close() throws Exception {
        processes.close();
        log.close();
        target.close();
    }
}
