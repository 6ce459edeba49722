package dev.doyen.cli.run.driver;

import dev.doyen.LeaseLeadership;
import dev.doyen.cli.run.Notice;
import dev.doyen.event.SavedState;
import dev.doyen.process.CannotStartException;
import dev.doyen.process.RunSignal;
import dev.doyen.process.SearchPath;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The command of a run, with its processes, watchdog and state file. The object is used for all starts of the
 * command. Threads: one.
 */
final class RunningCommand {

    /** The shortest time between two reads of the state file while the command runs. */
    private static final Duration LOOK_AT_STATE = Duration.ofSeconds(1);

    private static final int MAX_LAST_KILLS = 100;

    private final String election;
    private final String candidateId;
    private final List<String> commandLine;
    private final SearchPath path;
    private final Consumer<Notice> notices;
    private final ProcessTable table = ProcessTable.ofThisMachine();
    /**
     * The name of the environment variable that marks the processes of this run. The processes of a nested run have the
     * variables of both runs.
     */
    private final String markName = "DOYEN_RUN_" + UUID.randomUUID().toString().replace("-", "");

    private final StateSaver saver;

    private @Nullable Launcher launcher;
    private @Nullable StateFile stateFile;
    private Optional<Watchdog> watchdog = Optional.empty();
    private @Nullable Process process;
    private @Nullable CommandProcesses processes;
    private Duration watchdogTime = Duration.ZERO;
    private long watchdogSetAt;
    private long stateSeenAt;

    RunningCommand(
            String election, String candidateId, List<String> commandLine, SearchPath path, Consumer<Notice> notices) {
        this.election = election;
        this.candidateId = candidateId;
        this.commandLine = List.copyOf(commandLine);
        this.path = path;
        this.notices = notices;
        this.saver = new StateSaver(election, notices);
    }

    /**
     * Starts the command.
     *
     * @param exited receives the command's own exit code, on another thread
     */
    void start(LeaseLeadership leadership, IntConsumer exited) throws CannotStartException {
        try {
            prepare(leadership.state());
        } catch (IOException e) {
            throw new CannotStartException(
                    CannotStartException.NOT_EXECUTABLE,
                    "the file for the saved state could not be created (" + e.getMessage()
                            + "); free space in the directory for temporary files");
        }
        var starting = launcher();
        watchdog.ifPresent(Watchdog::reset);
        var started = starting.start(commandLine, environment(leadership));
        process = started;
        processes = new CommandProcesses(table, started.pid(), starting.givesSession(), markName + "=1");
        watchdogTime = Duration.ZERO;
        extendWatchdog(leadership.remaining());
        notices.accept(Notice.quiet("started", "started the command as process " + started.pid()));
        var unused = started.onExit().thenAccept(ended -> exited.accept(ended.exitValue()));
    }

    void forward(RunSignal signal) {
        if (processes != null) {
            processes.forward(signal);
        }
    }

    void terminate() {
        if (processes != null) {
            processes.terminate();
        }
    }

    void kill() {
        if (processes != null) {
            processes.kill();
        }
    }

    /** Extends the watchdog's deadline to {@code remaining} from now, unless the current deadline is later. */
    void extendWatchdog(Duration remaining) {
        if (process == null || remaining.isZero()) {
            return;
        }
        long now = System.nanoTime();
        var left = watchdogTime.minusNanos(now - watchdogSetAt);
        // A difference of up to 10 ms is only the error of the clock readings. A renewal extends the deadline by much
        // more than 10 ms.
        if (watchdogTime.isZero() || remaining.minus(left).toMillis() > 10) {
            watchdogTime = remaining;
            watchdogSetAt = now;
            long pid = process.pid();
            watchdog.ifPresent(g -> g.watchdog(pid, remaining));
        }
    }

    boolean wasKilledByWatchdog() {
        return watchdog.filter(Watchdog::hasFired).isPresent();
    }

    /** Returns true if the command and all processes that it started have ended. */
    boolean isGone() {
        return process == null || (!process.isAlive() && (processes == null || !processes.live()));
    }

    /** Discards the ended processes and cancels the watchdog's deadline. */
    void forget() {
        process = null;
        processes = null;
        watchdog.ifPresent(Watchdog::release);
    }

    /** Saves the state file at regular intervals while the command runs. */
    void saveChanges(LeaseLeadership leadership) {
        long now = System.nanoTime();
        if (process == null || stateFile == null || saver.isSaving() || now - stateSeenAt < LOOK_AT_STATE.toNanos()) {
            return;
        }
        stateSeenAt = now;
        saver.saveSettled(stateFile, leadership);
    }

    /**
     * Saves the final state of the command and then runs {@code done}. The save and {@code done} can run on another
     * thread.
     */
    void saveLast(LeaseLeadership leadership, Runnable done) {
        if (stateFile == null) {
            done.run();
        } else {
            saver.saveLast(stateFile, leadership, done);
        }
    }

    /** Kills the processes that are still alive. Such processes exist only if the run itself has failed. */
    void close() {
        for (int round = 0; round < MAX_LAST_KILLS && !isGone(); round++) {
            kill();
        }
        watchdog.ifPresent(Watchdog::close);
        if (stateFile != null) {
            stateFile.close();
        }
        saver.close();
    }

    private void prepare(SavedState state) throws IOException {
        if (stateFile == null) {
            stateFile = StateFile.create();
            watchdog = Watchdog.start(path, markName, stateFile.directory());
        }
        stateFile.give(state);
    }

    private Launcher launcher() {
        if (launcher == null) {
            launcher = Launcher.find(path, table);
            Launcher.remedy(launcher).ifPresent(s -> notices.accept(Notice.loud("no-session", s)));
        }
        return launcher;
    }

    private Map<String, String> environment(LeaseLeadership leadership) {
        var term = Long.toString(leadership.term());
        var environment = new HashMap<String, String>();
        environment.put("DOYEN_LEADER", "1");
        environment.put("DOYEN_ELECTION", election);
        environment.put("DOYEN_TERM", term);
        environment.put("DOYEN_FENCE", term);
        environment.put("DOYEN_CANDIDATE", candidateId);
        environment.put(markName, "1");
        if (stateFile != null) {
            environment.put("DOYEN_STATE_FILE", stateFile.path().toString());
        }
        return environment;
    }
}
