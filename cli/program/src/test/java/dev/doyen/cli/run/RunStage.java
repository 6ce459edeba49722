package dev.doyen.cli.run;

import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.process.RunSignal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs a run machine on a simulated clock in milliseconds.
 *
 * <p>The class records each effect as words, such as {@code start 1}, {@code kill} or {@code exit 0}. For a
 * notice, it records the name of the reported event in parentheses, such as {@code (killed)}.
 */
final class RunStage {

    /**
     * The time at which the clock starts, in nanoseconds. The clock overflows after 3 s, so the tests detect a machine
     * that compares times without subtracting them.
     */
    private static final long ORIGIN = Long.MAX_VALUE - Duration.ofSeconds(3).toNanos();

    private final RunMachine machine;
    private final List<String> done = new ArrayList<>();
    private long millis;

    RunStage(RunSettings settings) {
        machine = new RunMachine(settings);
        carry(machine.begin(now()));
    }

    /**
     * Returns settings with a ttl of 10 s and a grace period of 5 s. The command is stopped 2 s before an unrenewed
     * lease expires.
     */
    static RunSettings settings() {
        return settings(OnLost.RESTART, Optional.empty(), true);
    }

    static RunSettings settings(OnLost onLost, Optional<Duration> maxWait, boolean mayWait) {
        return new RunSettings(
                "e",
                Duration.ofSeconds(10),
                Duration.ofSeconds(5),
                Duration.ofSeconds(2),
                onLost,
                maxWait,
                mayWait,
                77);
    }

    /** Returns a stage whose command runs in term 1. The lease lasts for another 8 s. */
    static RunStage running(RunSettings settings) {
        var stage = new RunStage(settings);
        stage.elected(1, 8000);
        stage.take();
        return stage;
    }

    RunStage after(long moreMillis) {
        millis += moreMillis;
        return this;
    }

    RunStage leaderSeen(String id, long term) {
        return carry(machine.leaderSeen(now(), Optional.of(new Leader(id, term))));
    }

    RunStage overlapped(String id, long term) {
        return carry(machine.overlapped(term - 1, new Leader(id, term)));
    }

    RunStage nobodySeen() {
        return carry(machine.leaderSeen(now(), Optional.empty()));
    }

    RunStage elected(long term, long leftMillis) {
        return carry(machine.elected(now(), term, Duration.ofMillis(leftMillis)));
    }

    RunStage lost(LossCause cause) {
        return carry(machine.lost(now(), cause));
    }

    RunStage passed(long leftMillis) {
        return carry(machine.passed(now(), Duration.ofMillis(leftMillis)));
    }

    RunStage exited(int code) {
        return carry(machine.commandExited(now(), code, false, false));
    }

    RunStage exitedLeavingOthers(int code) {
        return carry(machine.commandExited(now(), code, true, false));
    }

    RunStage killedByWatchdog() {
        return carry(machine.commandExited(now(), 137, false, true));
    }

    RunStage gone() {
        return carry(machine.gone(now()));
    }

    RunStage saved() {
        return carry(machine.saved(now()));
    }

    RunStage startFailed(int code) {
        return carry(machine.startFailed(code, "no such command"));
    }

    RunStage signalled(RunSignal signal) {
        return carry(machine.signalled(now(), signal));
    }

    /** Returns the milliseconds until the machine must be called; empty if it needs no call. */
    Optional<Long> wakeIn() {
        return machine.wakeAt().map(at -> Duration.ofNanos(at - now()).toMillis());
    }

    boolean isStopping() {
        return machine.isStopping();
    }

    boolean hasEnded() {
        return machine.hasEnded();
    }

    /** Returns the effects since the last call, and clears them. */
    List<String> take() {
        var taken = List.copyOf(done);
        done.clear();
        return taken;
    }

    private RunStage carry(List<RunEffect> effects) {
        effects.forEach(effect -> effect.accept(new Recorder()));
        return this;
    }

    private long now() {
        return ORIGIN + Duration.ofMillis(millis).toNanos();
    }

    private final class Recorder implements RunEffect.Cases {
        @Override
        public void start(RunEffect.Start effect) {
            done.add("start " + effect.term());
        }

        @Override
        public void forward(RunEffect.Forward effect) {
            done.add("forward " + effect.signal());
        }

        @Override
        public void terminate(RunEffect.Terminate effect) {
            done.add("terminate");
        }

        @Override
        public void kill(RunEffect.Kill effect) {
            done.add("kill");
        }

        @Override
        public void save(RunEffect.Save effect) {
            done.add("save");
        }

        @Override
        public void letGo(RunEffect.LetGo effect) {
            done.add("let go");
        }

        @Override
        public void resign(RunEffect.Resign effect) {
            done.add("resign");
        }

        @Override
        public void report(RunEffect.Report effect) {
            done.add("(" + effect.notice().event() + ")");
        }

        @Override
        public void exit(RunEffect.Exit effect) {
            done.add("exit " + effect.code());
        }
    }
}
