package dev.doyen.server.run;

import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Decides what becomes of one command that may run only while this process leads.
 *
 * <p>The rules, which docs/reference/doyen-run.md states for users:
 * <ol>
 *   <li>The command runs only under a lease that lasts longer than {@code stopBefore}.
 *   <li>Told to stop, it has the grace, but never longer than the lease lasts; then it is killed.
 *   <li>The lease is given back, or a lost term let go, only when nothing the command started lives any more (L6).
 *   <li>A command that ended by itself ends the run with its exit code; one that was stopped for the sake of the lease
 *       does not, but {@link OnLost} says what happens next.
 * </ol>
 *
 * <p>Units: nanoseconds of one monotonic clock, which may start anywhere. Threads: one at a time. Each method is an
 * input and returns what is to be done, in order. Longer than most files, for each input has an answer in each phase,
 * and a reader wants them side by side.
 */
public final class RunMachine {

    /** So often a kill is repeated while something lives that it was meant for. */
    static final Duration KILL_AGAIN = Duration.ofMillis(100);

    private enum Phase {
        /** Standing for election. */
        WAITING,
        /** Leading, but the lease is too short to start under. */
        READY,
        RUNNING,
        /** What the command started is to end. */
        STOPPING,
        /** Nothing lives any more; what it left is being saved. */
        SAVING,
        /** The lease is being given back, to stand again. */
        RESIGNING,
        ENDED
    }

    private final RunSettings settings;
    private final RunNotices say;
    private final List<RunEffect> effects = new ArrayList<>();

    private Phase phase = Phase.WAITING;
    /** Who leads, as was told last. */
    private Optional<Leader> told = Optional.empty();

    private long term;
    private boolean leading;
    /** A lost term waits to be let go. */
    private boolean owesLetGo;
    /** Until when the lease lasts, as far as is known; while leading. */
    private long deadline;
    /** When waiting, or saving, has lasted long enough. */
    private Optional<Long> patienceEnds = Optional.empty();
    /** When what is being stopped is killed. */
    private long killAt;

    private boolean killing;
    /** The command itself has ended; what it started may live on. */
    private boolean commandEnded;
    /** The command is stopped for the sake of the lease, not by its own will or by a signal to this process. */
    private boolean stoppedForLease;

    private int askedToEnd;
    private OptionalInt exitCode = OptionalInt.empty();

    public RunMachine(RunSettings settings) {
        this.settings = settings;
        this.say = new RunNotices(settings.election());
    }

    /** The candidate has joined. */
    public List<RunEffect> begin(long now) {
        standAgain(now);
        return done();
    }

    /** Somebody leads, or nobody that is known. */
    public List<RunEffect> leaderSeen(long now, Optional<Leader> leader) {
        boolean own = leader.isPresent() && leader.get().term() == term;
        if (phase != Phase.WAITING || own || leader.equals(told)) {
            return done();
        }
        told = leader;
        if (leader.isPresent() && !settings.mayWait()) {
            tell(say.mayNotWait(leader.get()));
            exit(settings.conflictExitCode());
        } else {
            tell(leader.map(say::waiting).orElseGet(say::nobodyLeads));
        }
        return done();
    }

    /** This process leads from now on, for {@code remaining} at least. */
    public List<RunEffect> elected(long now, long newTerm, Duration remaining) {
        if (phase == Phase.WAITING) {
            term = newTerm;
            leading = true;
            deadline = now + remaining.toNanos();
            patienceEnds = Optional.empty();
            phase = Phase.READY;
            tell(say.elected(term));
            startIfSafe(now);
        }
        return done();
    }

    /** Time has passed; {@code remaining} is what is left of the lease, and counts only while this process leads. */
    public List<RunEffect> passed(long now, Duration remaining) {
        if (leading && now + remaining.toNanos() - deadline > 0) {
            deadline = now + remaining.toNanos();
        }
        switch (phase) {
            case WAITING -> {
                if (isDue(now, patienceEnds)) {
                    tell(say.waitedInVain());
                    exit(settings.conflictExitCode());
                }
            }
            case READY -> startIfSafe(now);
            case RUNNING -> {
                if (!isSafe(now)) {
                    tell(say.leaseRunsOut(term));
                    stopForLease(now, deadline);
                }
            }
            case STOPPING -> killIfDue(now);
            case SAVING -> {
                if (isDue(now, patienceEnds)) {
                    tell(say.saveTookTooLong(term));
                    conclude(now);
                }
            }
            case RESIGNING, ENDED -> {}
        }
        return done();
    }

    /** The leadership is over; {@link RunEffect.LetGo} is owed when nothing works under it any more. */
    public List<RunEffect> lost(long now, LossCause cause) {
        leading = false;
        owesLetGo = true;
        long limit = leaseOutlives(cause) ? deadline : now;
        switch (phase) {
            case RUNNING -> {
                tell(say.lost(term, cause));
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

    /** Something that the command started in this term had not ended when another was already seen to lead. */
    public List<RunEffect> overlapped(long oldTerm, Leader by) {
        tell(say.overlapped(oldTerm, by));
        return done();
    }

    /** The command could not be started, for this reason, which a shell would tell by this exit code. */
    public List<RunEffect> startFailed(int code, String sentence) {
        tell(Notice.loud("not-started", sentence).inTerm(term));
        exit(code);
        return done();
    }

    /**
     * The command itself has ended.
     *
     * @param othersLive something that it started has not
     * @param byGuard it was killed because this process stood still while the lease ran out
     */
    public List<RunEffect> commandExited(long now, int code, boolean othersLive, boolean byGuard) {
        if (phase == Phase.ENDED) {
            return done();
        }
        commandEnded = true;
        tell(say.exited(term, code));
        if (byGuard) {
            // Said whichever is noticed first by a process that wakes: this, or that the term is over.
            tell(say.killedByGuard(term));
        }
        if (phase == Phase.RUNNING) {
            if (byGuard) {
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
                    tell(say.leftBehind(term));
                    effects.add(new RunEffect.Terminate());
                }
            } else {
                allGone(now);
            }
        }
        return done();
    }

    /** Nothing that the command started lives any more. */
    public List<RunEffect> gone(long now) {
        if (awaitsGone()) {
            allGone(now);
        }
        return done();
    }

    /** What the command left is saved, or cannot be. */
    public List<RunEffect> saved(long now) {
        if (phase == Phase.SAVING) {
            conclude(now);
        }
        return done();
    }

    /** This process was sent a signal. */
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

    /** True once {@link RunEffect.Exit} was said. */
    public boolean hasEnded() {
        return phase == Phase.ENDED;
    }

    /** True while what the command started is to end. */
    public boolean isStopping() {
        return phase == Phase.STOPPING;
    }

    /** True while {@link #gone} is awaited: not before the command's own end is known, and with it the exit code. */
    public boolean awaitsGone() {
        return phase == Phase.STOPPING && commandEnded;
    }

    /** When {@link #passed} is owed at the latest; empty if only other inputs can change anything. */
    public Optional<Long> wakeAt() {
        return switch (phase) {
            case WAITING, SAVING -> patienceEnds;
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
            // The command is being stopped already; this process is asked to end with it.
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

    /** The lease bounds every stop, also one that was not for its sake: it may run out meanwhile. */
    private long killDue() {
        return leading && !killing ? earlier(killAt, deadline) : killAt;
    }

    private void killIfDue(long now) {
        if (now - killDue() >= 0) {
            if (!killing) {
                killing = true;
                tell(say.killed(term));
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
        // A slow store may take as long as a renewal may; what is left of the lease bounds it in any case.
        patienceEnds =
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
        var patience = settings.mayWait() ? settings.patience() : Optional.of(settings.ttl());
        patienceEnds = patience.map(p -> now + p.toNanos());
    }

    private void exitAfterLoss() {
        if (settings.onLost() != OnLost.RESTART) {
            exitWith(settings.conflictExitCode());
        }
    }

    /** The first reason to end wins. */
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

    private void tell(Notice notice) {
        effects.add(new RunEffect.Tell(notice));
    }

    private List<RunEffect> done() {
        var result = List.copyOf(effects);
        effects.clear();
        return result;
    }

    /** Whether others still wait for the lease to run out, or may have it already. */
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
