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
 * Starts and stops a command, so that it runs only while this process leads.
 *
 * <p>The machine follows these rules, which docs/reference/doyen-run.md states for users:
 * <ol>
 *   <li>The command runs only under a lease that lasts longer than {@code stopBefore}.
 *   <li>After a request to stop, the command must end within the grace period and before the lease expires. Otherwise
 *       the command is killed.
 *   <li>The lease is released only after the command and every process that the command started have ended (rule L6).
 *       This rule also applies after the loss of the leadership.
 *   <li>A command that ends by itself ends the run with its exit code. If the command was stopped because of the lease,
 *       {@link OnLost} decides whether the run ends.
 * </ol>
 *
 * <p>Units: nanoseconds of one monotonic clock with any origin. Threads: one at a time. Each input is a method that
 * returns the effects in order. The class is long, because it contains the reaction to each input in each phase.
 */
public final class RunMachine {

    /** The time between two kills while processes of the command are alive. */
    static final Duration KILL_AGAIN = Duration.ofMillis(100);

    private enum Phase {
        /** The candidate campaigns for the lease. */
        WAITING,
        /** This process leads, but the lease expires too soon to start the command. */
        READY,
        RUNNING,
        /** The command and its processes are being stopped. */
        STOPPING,
        /** All processes have ended; the driver saves the command's state. */
        SAVING,
        /** The driver releases the lease and then campaigns again. */
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
    /** True if {@link RunEffect.LetGo} is still due for a lost term. */
    private boolean owesLetGo;
    /** The latest known time at which the lease expires; valid while this process leads. */
    private long deadline;
    /** The time at which waiting or saving times out. */
    private Optional<Long> maxWaitEnds = Optional.empty();
    /** The time at which the stopping processes are killed. */
    private long killAt;

    private boolean killing;
    /** True if the command itself has ended. Its child processes can still be alive. */
    private boolean commandEnded;
    /**
     * True if the command is stopped because of the lease.
     *
     * <p>False if the command has ended by itself, or if a signal to this process stops the command.
     */
    private boolean stoppedForLease;

    private int endSignals;
    private OptionalInt exitCode = OptionalInt.empty();

    public RunMachine(RunSettings settings) {
        this.settings = settings;
        this.notices = new RunNotices(settings.election());
    }

    /** Starts the run. Call this method before the candidate joins the election. */
    public List<RunEffect> begin(long now) {
        campaignAgain(now);
        return done();
    }

    /** Records that the known leader has changed. The leader is empty if no leader is known. */
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

    /** Records that this process leads from now on, for at least {@code remaining}. */
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
     * Records that time has passed.
     *
     * @param remaining the remaining time of the lease; ignored while this process does not lead
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

    /** Records that the leadership has ended. {@link RunEffect.LetGo} follows when all work of the term has ended. */
    public List<RunEffect> lost(long now, LossCause cause) {
        leading = false;
        owesLetGo = true;
        long limit = leaseRemains(cause) ? deadline : now;
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
                campaignAgain(now);
            }
            case WAITING, ENDED -> letGo();
        }
        return done();
    }

    /** Records that another leader was observed while processes of the old term were still running. */
    public List<RunEffect> overlapped(long oldTerm, Leader by) {
        report(notices.overlapped(oldTerm, by));
        return done();
    }

    /**
     * Records that the driver could not start the command.
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
     * Records that the command itself has ended.
     *
     * @param othersLive true if processes that the command started are still alive
     * @param byWatchdog true if the watchdog killed the command because the lease expired while this process was
     *     suspended or delayed
     */
    public List<RunEffect> commandExited(long now, int code, boolean othersLive, boolean byWatchdog) {
        if (phase == Phase.ENDED) {
            return done();
        }
        commandEnded = true;
        report(notices.exited(term, code));
        if (byWatchdog) {
            // The watchdog has killed the command while this process was suspended or delayed. This process can detect
            // the kill before or after the end of the term, and reports it in both cases.
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

    /** Records that all processes of the command have ended. */
    public List<RunEffect> gone(long now) {
        if (awaitsGone()) {
            allGone(now);
        }
        return done();
    }

    /** Records that the driver has saved the command's state or that the save has failed. */
    public List<RunEffect> saved(long now) {
        if (phase == Phase.SAVING) {
            conclude(now);
        }
        return done();
    }

    /** Records that this process has received a signal. */
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
                    endSignals++;
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

    /** Returns true after {@link RunEffect.Exit}. */
    public boolean hasEnded() {
        return phase == Phase.ENDED;
    }

    /** Returns true while the processes of the command are being stopped. */
    public boolean isStopping() {
        return phase == Phase.STOPPING;
    }

    /**
     * Returns true while the machine waits for {@link #gone}.
     *
     * <p>The wait starts only after the command itself has ended, because the machine needs the exit code of the
     * command.
     */
    public boolean awaitsGone() {
        return phase == Phase.STOPPING && commandEnded;
    }

    /**
     * Returns the latest time for the next call of {@link #passed}.
     *
     * <p>The result is empty if the passage of time alone cannot change the state.
     */
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
        endSignals++;
        if (stoppedForLease) {
            // The command is already being stopped. The signal requests the end of this process too.
            exitWith(signal.exitCode());
        }
        if (endSignals > 1) {
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

    /**
     * Returns the time of the next kill. While this process leads, the first kill is not later than the end of the
     * lease.
     */
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
        // A save may take at most half the ttl, and at most the remaining time of the lease.
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
            campaignAgain(now);
        }
    }

    private void campaignAgain(long now) {
        phase = Phase.WAITING;
        var maxWait = settings.mayWait() ? settings.maxWait() : Optional.of(settings.ttl());
        maxWaitEnds = maxWait.map(p -> now + p.toNanos());
    }

    private void exitAfterLoss() {
        if (settings.onLost() != OnLost.RESTART) {
            exitWith(settings.conflictExitCode());
        }
    }

    /** Sets the exit code unless an earlier reason to end has already set it. */
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
     * Returns true if no other candidate can lead before {@code deadline}, although the leadership has ended.
     *
     * <p>If the result is false, another candidate may already hold the lease.
     */
    private static boolean leaseRemains(LossCause cause) {
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
