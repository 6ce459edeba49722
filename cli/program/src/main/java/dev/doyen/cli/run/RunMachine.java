package dev.doyen.cli.run;

import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.process.RunSignal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Decides when a command starts and stops, so that it runs only while this process leads.
 *
 * <p>The rules, which docs/reference/doyen-run.md states for users:
 * <ol>
 *   <li>The command runs only under a lease that lasts longer than {@code stopBefore}.
 *   <li>After a request to stop, the command has the grace period, but never longer than the lease lasts. Then it is
 *       killed.
 *   <li>The lease is released, or a lost term is let go, only after every process that the command started has ended
 *       (rule L6).
 *   <li>A command that ends by itself ends the run with its exit code. A command that was stopped because of the lease
 *       does not; then {@link OnLost} decides.
 * </ol>
 *
 * <p>Units: nanoseconds of one monotonic clock with any origin. Threads: one at a time. Each method is an input and
 * returns the effects in order. The class is longer than most, because it shows the answer to each input in each phase
 * side by side.
 */
public final class RunMachine {

    /** How often a kill is repeated while processes of the command live. */
    static final Duration KILL_AGAIN = Duration.ofMillis(100);

    private enum Phase {
        /** Campaigns for the lease. */
        WAITING,
        /** Leads, but the rest of the lease is too short to start the command. */
        READY,
        RUNNING,
        /** The command and its processes are being stopped. */
        STOPPING,
        /** All processes have ended; the driver saves the command's state. */
        SAVING,
        /** The driver releases the lease, to campaign again. */
        RESIGNING,
        ENDED
    }

    private final RunSettings settings;
    private final RunNotices notices;
    private final List<RunEffect> effects = new ArrayList<>();

    private Phase phase = Phase.WAITING;
    /** The leader that was last reported to the user. */
    private Optional<Leader> reportedLeader = Optional.empty();

    private long term;
    private boolean leading;
    /** {@link RunEffect.LetGo} is still due for a lost term. */
    private boolean owesLetGo;
    /** When the lease expires, as far as is known; valid while leading. */
    private long deadline;
    /** When waiting or saving times out. */
    private Optional<Long> maxWaitEnds = Optional.empty();
    /** When the processes that are being stopped are killed. */
    private long killAt;

    private boolean killing;
    /** The command itself has ended; its child processes may still live. */
    private boolean commandEnded;
    /** The stop is because of the lease, not because of an exit or a signal to this process. */
    private boolean stoppedForLease;

    private int askedToEnd;
    private OptionalInt exitCode = OptionalInt.empty();

    public RunMachine(RunSettings settings) {
        this.settings = settings;
        this.notices = new RunNotices(settings.election());
    }

    /** Starts the run: the candidate has joined. */
    public List<RunEffect> begin(long now) {
        standAgain(now);
        return done();
    }

    /** Another leader is known now, or none. */
    public List<RunEffect> leaderSeen(long now, Optional<Leader> leader) {
        boolean own = leader.isPresent() && leader.get().term() == term;
        if (phase != Phase.WAITING || own || leader.equals(reportedLeader)) {
            return done();
        }
        reportedLeader = leader;
        if (leader.isPresent() && !settings.mayWait()) {
            report(notices.mayNotWait(leader.get()));
            exit(settings.conflictExitCode());
        } else {
            report(leader.map(notices::waiting).orElseGet(notices::nobodyLeads));
        }
        return done();
    }

    /** This process leads from now on, for at least {@code remaining}. */
    public List<RunEffect> elected(long now, long newTerm, Duration remaining) {
        if (phase == Phase.WAITING) {
            term = newTerm;
            leading = true;
            deadline = now + remaining.toNanos();
            maxWaitEnds = Optional.empty();
            phase = Phase.READY;
            report(notices.elected(term));
            startIfSafe(now);
        }
        return done();
    }

    /**
     * Time has passed.
     *
     * @param remaining the rest of the lease; ignored while this process does not lead
     */
    public List<RunEffect> passed(long now, Duration remaining) {
        if (leading && now + remaining.toNanos() - deadline > 0) {
            deadline = now + remaining.toNanos();
        }
        switch (phase) {
            case WAITING -> {
                if (isDue(now, maxWaitEnds)) {
                    report(notices.waitEnded());
                    exit(settings.conflictExitCode());
                }
            }
            case READY -> startIfSafe(now);
            case RUNNING -> {
                if (!isSafe(now)) {
                    report(notices.leaseExpiresSoon(term));
                    stopForLease(now, deadline);
                }
            }
            case STOPPING -> killIfDue(now);
            case SAVING -> {
                if (isDue(now, maxWaitEnds)) {
                    report(notices.saveTookTooLong(term));
                    conclude(now);
                }
            }
            case RESIGNING, ENDED -> {}
        }
        return done();
    }

    /** The leadership has ended. {@link RunEffect.LetGo} follows when all work under it has ended. */
    public List<RunEffect> lost(long now, LossCause cause) {
        leading = false;
        owesLetGo = true;
        long limit = leaseOutlives(cause) ? deadline : now;
        switch (phase) {
            case RUNNING -> {
                report(notices.lost(term, cause));
                stopForLease(now, limit);
            }
            case STOPPING -> {
                killAt = earlier(killAt, limit);
                killIfDue(now);
            }
            case SAVING -> {
                letGo();
                conclude(now);
            }
            case READY, RESIGNING -> {
                letGo();
                standAgain(now);
            }
            case WAITING, ENDED -> letGo();
        }
        return done();
    }

    /** Another leader was seen while processes of the old term were still running. */
    public List<RunEffect> overlapped(long oldTerm, Leader by) {
        report(notices.overlapped(oldTerm, by));
        return done();
    }

    /**
     * The driver could not start the command.
     *
     * @param code the exit code that a shell would use
     * @param sentence the reason
     */
    public List<RunEffect> startFailed(int code, String sentence) {
        report(Notice.loud("not-started", sentence).inTerm(term));
        exit(code);
        return done();
    }

    /**
     * The command itself has ended.
     *
     * @param othersLive whether processes that it started still live
     * @param byWatchdog whether the watchdog killed it because the lease expired while this process was suspended
     */
    public List<RunEffect> commandExited(long now, int code, boolean othersLive, boolean byWatchdog) {
        if (phase == Phase.ENDED) {
            return done();
        }
        commandEnded = true;
        report(notices.exited(term, code));
        if (byWatchdog) {
            // Report this whether the process, after it resumes, first notices the kill or the end of the term.
            report(notices.killedByWatchdog(term));
        }
        if (phase == Phase.RUNNING) {
            if (byWatchdog) {
                stoppedForLease = true;
                killAt = now;
                exitAfterLoss();
            } else {
                killAt = now + settings.grace().toNanos();
            }
            phase = Phase.STOPPING;
        }
        if (phase == Phase.STOPPING) {
            if (!stoppedForLease) {
                exitCode = OptionalInt.of(code);
            }
            if (othersLive) {
                killIfDue(now);
                if (!killing) {
                    report(notices.leftBehind(term));
                    effects.add(new RunEffect.Terminate());
                }
            } else {
                allGone(now);
            }
        }
        return done();
    }

    /** No process that the command started lives any more. */
    public List<RunEffect> gone(long now) {
        if (awaitsGone()) {
            allGone(now);
        }
        return done();
    }

    /** The driver has saved the command's state, or has failed to. */
    public List<RunEffect> saved(long now) {
        if (phase == Phase.SAVING) {
            conclude(now);
        }
        return done();
    }

    /** This process has received a signal. */
    public List<RunEffect> signalled(long now, RunSignal signal) {
        switch (phase) {
            case WAITING, READY, RESIGNING -> {
                if (signal.endsWaiting()) {
                    exit(signal.exitCode());
                }
            }
            case RUNNING -> {
                effects.add(new RunEffect.Forward(signal));
                if (signal.endsCommand()) {
                    askedToEnd++;
                    phase = Phase.STOPPING;
                    killAt = now + settings.grace().toNanos();
                }
            }
            case STOPPING -> signalledWhileStopping(now, signal);
            case SAVING -> {
                if (signal.endsCommand()) {
                    exitWith(signal.exitCode());
                    conclude(now);
                }
            }
            case ENDED -> {}
        }
        return done();
    }

    /** True after {@link RunEffect.Exit}. */
    public boolean hasEnded() {
        return phase == Phase.ENDED;
    }

    /** True while the processes of the command are being stopped. */
    public boolean isStopping() {
        return phase == Phase.STOPPING;
    }

    /**
     * True while the machine waits for {@link #gone}.
     *
     * <p>This starts only after the command itself has ended, because its exit code is known only then.
     */
    public boolean awaitsGone() {
        return phase == Phase.STOPPING && commandEnded;
    }

    /** When {@link #passed} must be called at the latest; empty if only other inputs can change the state. */
    public Optional<Long> wakeAt() {
        return switch (phase) {
            case WAITING, SAVING -> maxWaitEnds;
            case RUNNING -> Optional.of(deadline - settings.stopBefore().toNanos());
            case STOPPING -> Optional.of(killDue());
            case READY, RESIGNING, ENDED -> Optional.empty();
        };
    }

    private void signalledWhileStopping(long now, RunSignal signal) {
        if (!signal.endsCommand()) {
            effects.add(new RunEffect.Forward(signal));
            return;
        }
        askedToEnd++;
        if (stoppedForLease) {
            // The command is already being stopped; the signal asks this process to end too.
            exitWith(signal.exitCode());
        }
        if (askedToEnd > 1) {
            killAt = now;
            killIfDue(now);
        } else {
            effects.add(new RunEffect.Forward(signal));
        }
    }

    private void startIfSafe(long now) {
        if (isSafe(now)) {
            phase = Phase.RUNNING;
            killing = false;
            commandEnded = false;
            stoppedForLease = false;
            effects.add(new RunEffect.Start(term));
        }
    }

    private boolean isSafe(long now) {
        return deadline - now > settings.stopBefore().toNanos();
    }

    private void stopForLease(long now, long limit) {
        phase = Phase.STOPPING;
        stoppedForLease = true;
        exitAfterLoss();
        long graceEnds =
                settings.onLost() == OnLost.EXIT ? now : now + settings.grace().toNanos();
        killAt = earlier(graceEnds, limit);
        if (now - killAt < 0) {
            effects.add(new RunEffect.Terminate());
        } else {
            killIfDue(now);
        }
    }

    /** The lease bounds every stop, even one with another reason, because it may expire meanwhile. */
    private long killDue() {
        return leading && !killing ? earlier(killAt, deadline) : killAt;
    }

    private void killIfDue(long now) {
        if (now - killDue() >= 0) {
            if (!killing) {
                killing = true;
                report(notices.killed(term));
            }
            effects.add(new RunEffect.Kill());
            killAt = now + KILL_AGAIN.toNanos();
        }
    }

    private void allGone(long now) {
        if (!leading) {
            letGo();
            conclude(now);
            return;
        }
        phase = Phase.SAVING;
        // A save may take as long as a renewal may. The rest of the lease bounds it in any case.
        maxWaitEnds =
                Optional.of(earlier(deadline, now + settings.ttl().dividedBy(2).toNanos()));
        effects.add(new RunEffect.Save());
    }

    private void conclude(long now) {
        if (exitCode.isPresent()) {
            exit(exitCode.getAsInt());
        } else if (leading) {
            phase = Phase.RESIGNING;
            effects.add(new RunEffect.Resign());
        } else {
            standAgain(now);
        }
    }

    private void standAgain(long now) {
        phase = Phase.WAITING;
        var maxWait = settings.mayWait() ? settings.maxWait() : Optional.of(settings.ttl());
        maxWaitEnds = maxWait.map(p -> now + p.toNanos());
    }

    private void exitAfterLoss() {
        if (settings.onLost() != OnLost.RESTART) {
            exitWith(settings.conflictExitCode());
        }
    }

    /** Sets the exit code; the first reason to end wins. */
    private void exitWith(int code) {
        if (exitCode.isEmpty()) {
            exitCode = OptionalInt.of(code);
        }
    }

    private void exit(int code) {
        phase = Phase.ENDED;
        effects.add(new RunEffect.Exit(code));
    }

    private void letGo() {
        if (owesLetGo) {
            owesLetGo = false;
            effects.add(new RunEffect.LetGo());
        }
    }

    private void report(Notice notice) {
        effects.add(new RunEffect.Report(notice));
    }

    private List<RunEffect> done() {
        var result = List.copyOf(effects);
        effects.clear();
        return result;
    }

    /**
     * Whether the lease still protects this process until its deadline, although the leadership has ended.
     *
     * <p>If not, another candidate may already hold it.
     */
    private static boolean leaseOutlives(LossCause cause) {
        return switch (cause) {
            case RESIGNED, TRANSFERRED, PAUSED, UNHEALTHY, CLOSED -> true;
            case EXPIRED, SUSPENDED, SUPERSEDED -> false;
        };
    }

    private static boolean isDue(long now, Optional<Long> at) {
        return at.isPresent() && now - at.get() >= 0;
    }

    private static long earlier(long one, long other) {
        return one - other <= 0 ? one : other;
    }
}
