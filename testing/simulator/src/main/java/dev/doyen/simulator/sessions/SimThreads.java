package dev.doyen.simulator.sessions;

import dev.doyen.election.Threads;
import dev.doyen.event.Moment;
import dev.doyen.simulator.world.Agenda;
import dev.doyen.simulator.world.SeededRandom;
import dev.doyen.simulator.world.SimClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * The threads of one simulated process.
 *
 * <p>Tasks are entries in the agenda. Blocking calls run on a {@link SimWorker}. The clocks drift. Faults can
 * freeze the process, refuse it new threads, or crash it. A store call is carried out at one instant, and its result
 * reaches the loop later.
 */
final class SimThreads implements Threads {

    private final Agenda agenda;
    private final SeededRandom random;
    private final SimClock clock;
    private final Line line;
    private final Runnable afterEach;
    private final List<SimWorker> workers = new ArrayList<>();
    private final List<Wait> waits = new ArrayList<>();

    private long frozenUntil;
    private long noThreadsUntil;
    private boolean dead;

    /**
     * Creates the threads.
     *
     * @param afterEach the callback that runs after each action of this process
     */
    SimThreads(Agenda agenda, SeededRandom random, SimClock clock, Line line, Runnable afterEach) {
        this.agenda = agenda;
        this.random = random;
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
        if (dead) {
            return false;
        }
        deliver(line.answerDelay(), task);
        return true;
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
        if (dead || agenda.now() < noThreadsUntil) {
            return false;
        }
        Line.Fate fate = line.draw(agenda.now());
        deliver(fate.toStore(), () -> line.carryOut(fate, call));
        return true;
    }

    @Override
    public void callback(Runnable callback) {
        deliver(Math.max(noThreadsUntil - agenda.now(), 0) + random.seconds(0, 0.01), callback);
    }

    /** Waits for {@code done}. Only a worker's thread may call this method. */
    @Override
    public boolean await(CompletableFuture<?> done, Duration atMost) throws InterruptedException {
        long most = clock.timeOf(now().nanos() + atMost.toNanos());
        waitFor(done::isDone, atMost.toNanos() == Long.MAX_VALUE ? Long.MAX_VALUE : most, true);
        return done.isDone();
    }

    /**
     * Waits until the process's monotonic clock has advanced by this time. Only a worker's thread may call this
     * method.
     */
    void sleep(long nanos) throws InterruptedException {
        waitFor(() -> false, clock.timeOf(clock.now().nanos() + nanos), true);
    }

    /** Waits like {@link #sleep}, but ignores an interrupt. The interrupt status stays set. */
    void sleepThrough(long nanos) {
        try {
            waitFor(() -> false, clock.timeOf(clock.now().nanos() + nanos), false);
        } catch (InterruptedException e) {
            throw new IllegalStateException("this wait cannot be interrupted", e);
        }
    }

    /** Starts a thread of the process. The thread can block. */
    void start(Runnable task) {
        var worker = new SimWorker(task);
        workers.add(worker);
        deliver(0, worker::resume);
    }

    /** Freezes the process, as SIGSTOP or a long garbage collection does. The clocks of the process continue. */
    void freeze(long nanos) {
        frozenUntil = Math.max(frozenUntil, agenda.now() + nanos);
    }

    /** Lets no thread start for a store call or a callback until this time. */
    void refuseThreads(long until) {
        noThreadsUntil = Math.max(noThreadsUntil, until);
    }

    /** Returns the true time that passes while this process's clock advances by {@code local} nanoseconds. */
    long trueNanos(long local) {
        return clock.timeOf(clock.now().nanos() + local) - agenda.now();
    }

    boolean isAlive() {
        return !dead;
    }

    boolean isRunning() {
        return !dead && agenda.now() >= frozenUntil;
    }

    void die() {
        dead = true;
        waits.clear();
        workers.forEach(SimWorker::kill);
        workers.clear();
    }

    @Override
    public void close() {
        dead = true;
    }

    private void waitFor(BooleanSupplier done, long until, boolean interruptible) throws InterruptedException {
        SimWorker worker = SimWorker.current();
        var wait = new Wait(worker, done, until, interruptible);
        if (until != Long.MAX_VALUE) {
            // The empty task wakes this process, which then resumes the workers whose waits are over.
            deliver(until - agenda.now(), () -> {});
        }
        while (!wait.isOver()) {
            waits.add(wait);
            worker.suspend();
        }
        if (interruptible && Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    /**
     * Runs the task in this process after {@code delay} of true time.
     *
     * <p>If the process is frozen at that time, the task runs after the freeze, behind earlier tasks.
     */
    void deliver(long delay, Runnable task) {
        agenda.after(delay, () -> run(task));
    }

    private void run(Runnable task) {
        if (dead) {
            return;
        }
        if (agenda.now() < frozenUntil) {
            agenda.at(frozenUntil, () -> run(task));
            return;
        }
        try {
            task.run();
        } catch (Line.InjectedError e) {
            // The thread that has thrown the error ends. The next call gets another thread.
        }
        resumeWaiting();
        afterEach.run();
    }

    /**
     * Resumes each worker whose wait is over.
     *
     * <p>A worker usually resumes soon, but sometimes seconds later, as on a busy computer.
     */
    private void resumeWaiting() {
        while (!dead) {
            Wait over = waits.stream().filter(Wait::isOver).findFirst().orElse(null);
            if (over == null) {
                return;
            }
            waits.remove(over);
            deliver(random.chance(0.02) ? random.seconds(0, 12) : random.seconds(0, 0.005), over.worker::resume);
        }
    }

    /** The wait of a worker. */
    private final class Wait {
        private final SimWorker worker;
        private final BooleanSupplier done;
        private final long until;
        private final boolean interruptible;

        Wait(SimWorker worker, BooleanSupplier done, long until, boolean interruptible) {
            this.worker = worker;
            this.done = done;
            this.until = until;
            this.interruptible = interruptible;
        }

        boolean isOver() {
            return done.getAsBoolean() || agenda.now() >= until || (interruptible && worker.isInterrupted());
        }
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
