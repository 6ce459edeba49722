package dev.doyen.simulator.sessions;

import dev.doyen.driver.Threads;
import dev.doyen.event.Moment;
import dev.doyen.simulator.world.Agenda;
import dev.doyen.simulator.world.Dice;
import dev.doyen.simulator.world.SimClock;

/**
 * The threads of one simulated process: tasks are entries in the agenda, its clocks drift, it may stand still for a
 * while, and it may be dead. A store call is carried out at one instant; what it hands to the loop arrives later.
 */
final class SimThreads implements Threads {

    private final Agenda agenda;
    private final Dice dice;
    private final SimClock clock;
    private final Line line;
    private final Runnable afterEach;

    private long standsStillUntil;
    private long answersDelayedBy = -1;
    private boolean dead;

    /** @param afterEach run after everything that this process has done */
    SimThreads(Agenda agenda, Dice dice, SimClock clock, Line line, Runnable afterEach) {
        this.agenda = agenda;
        this.dice = dice;
        this.clock = clock;
        this.line = line;
        this.afterEach = afterEach;
    }

    @Override
    public Moment now() {
        return clock.now();
    }

    @Override
    public boolean loop(Runnable task) {
        deliver(Math.max(0, answersDelayedBy), task);
        return !dead;
    }

    @Override
    public Timer at(long nanos, Runnable task) {
        var timer = new SimTimer(task);
        long time = clock.timeOf(nanos);
        if (time != Long.MAX_VALUE) {
            deliver(time - agenda.now(), timer);
        }
        return timer;
    }

    @Override
    public boolean store(Runnable call) {
        Line.Fate fate = line.draw(agenda.now());
        deliver(fate.toStore(), () -> {
            answersDelayedBy = fate.toCaller();
            line.carryOut(fate, call);
            answersDelayedBy = -1;
        });
        return true;
    }

    @Override
    public void callback(Runnable callback) {
        deliver(dice.seconds(0, 0.01), callback);
    }

    /** SIGSTOP, or a long collection: nothing of this process runs, and its clocks go on. */
    void standStill(long nanos) {
        standsStillUntil = Math.max(standsStillUntil, agenda.now() + nanos);
    }

    /** How much true time passes while this process's clock shows that {@code local} nanoseconds have. */
    long trueNanos(long local) {
        return clock.timeOf(clock.now().nanos() + local) - agenda.now();
    }

    boolean isAlive() {
        return !dead;
    }

    boolean isRunning() {
        return !dead && agenda.now() >= standsStillUntil;
    }

    void die() {
        dead = true;
    }

    @Override
    public void close() {
        dead = true;
    }

    private void deliver(long delay, Runnable task) {
        agenda.after(delay, () -> run(task));
    }

    private void run(Runnable task) {
        if (dead) {
            return;
        }
        if (agenda.now() < standsStillUntil) {
            agenda.at(standsStillUntil, () -> run(task));
            return;
        }
        task.run();
        afterEach.run();
    }

    private static final class SimTimer implements Timer, Runnable {
        private final Runnable task;
        private boolean cancelled;

        SimTimer(Runnable task) {
            this.task = task;
        }

        @Override
        public void cancel() {
            cancelled = true;
        }

        @Override
        public void run() {
            if (!cancelled) {
                task.run();
            }
        }
    }
}
