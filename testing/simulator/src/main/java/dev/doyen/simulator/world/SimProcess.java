package dev.doyen.simulator.world;

import dev.doyen.election.LeaseTiming;
import dev.doyen.election.Priority;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * A process on its own host, with its clocks, candidates and faults.
 *
 * <p>The process has one candidate in each of its elections. While the process does not run, its inputs wait in a
 * queue. A crash loses all state except the clocks of the host. Durations are nanoseconds of true time.
 */
public final class SimProcess {

    private final World world;
    private final int number;
    private final String id;
    private final SimClock clock;
    private final LeaseTiming timing;
    private final Priority priority;
    private final boolean maySuspend;
    private final List<SimCandidate> candidates = new ArrayList<>();
    private final Deque<Runnable> work = new ArrayDeque<>();
    private final Deque<Runnable> inputs = new ArrayDeque<>();
    private final Deque<Runnable> wakes = new ArrayDeque<>();

    private int starts;
    private boolean up;
    private long pausedUntil;
    private long loopStalledUntil;
    private long cutOffUntil;
    private boolean suspended;
    private boolean catchingUp;

    /**
     * Creates a process that has not started.
     *
     * @param maySuspend true if faults can suspend the host; otherwise faults can set the host's wall clock back. Rule
     *     L4 does not cover a host with both faults
     */
    public SimProcess(
            World world,
            int number,
            String id,
            SimClock clock,
            LeaseTiming timing,
            Priority priority,
            boolean maySuspend) {
        this.world = world;
        this.number = number;
        this.id = id;
        this.clock = clock;
        this.timing = timing;
        this.priority = priority;
        this.maySuspend = maySuspend;
    }

    public String id() {
        return id;
    }

    public SimClock clock() {
        return clock;
    }

    public LeaseTiming timing() {
        return timing;
    }

    public Priority priority() {
        return priority;
    }

    public List<SimCandidate> candidates() {
        return candidates;
    }

    public boolean isUp() {
        return up;
    }

    public boolean maySuspend() {
        return maySuspend;
    }

    boolean isCutOff() {
        return world.now() < cutOffUntil;
    }

    @Override
    public String toString() {
        return "p" + number + "." + starts;
    }

    // ---- running

    /** Starts the process with new incarnations, which have no earlier state. */
    public void start() {
        if (up) {
            return;
        }
        up = true;
        starts++;
        for (String election : world.elections()) {
            candidates.add(world.candidate(this, election, identitySuffix(election)));
        }
        world.trace(toString(), "starts as \"" + id + "\"");
        List.copyOf(candidates).forEach(SimCandidate::begin);
    }

    /** Joins an election again as a new incarnation, after the candidate has left it. */
    public void rejoin(SimCandidate left) {
        if (!candidates.contains(left)) {
            return;
        }
        starts++;
        SimCandidate next = world.candidate(this, left.election(), identitySuffix(left.election()));
        candidates.set(candidates.indexOf(left), next);
        next.begin();
    }

    public void crash() {
        if (!up) {
            return;
        }
        world.trace(toString(), "crashes");
        candidates.forEach(SimCandidate::die);
        candidates.clear();
        work.clear();
        inputs.clear();
        wakes.clear();
        up = false;
        pausedUntil = 0;
        loopStalledUntil = 0;
    }

    /**
     * Runs an action of one of the process's threads.
     *
     * <p>The action runs now, or when the process runs again.
     */
    void whenAwake(Runnable task) {
        if (up) {
            work.add(task);
            catchUp();
        }
    }

    /**
     * Passes an input to the election loop, behind the waiting inputs.
     *
     * <p>If the loop does not run now, it takes the input later.
     */
    void whenLoopRuns(Runnable input) {
        if (up) {
            inputs.add(input);
            catchUp();
        }
    }

    /**
     * Wakes the election loop.
     *
     * <p>If the loop does not run now, it wakes later, after the inputs that already wait. A random choice determines
     * whether the loop wakes before or after the inputs that arrive in the meantime.
     */
    void wakeLoop(Runnable wake) {
        if (up) {
            (world.random().chance(0.5) ? inputs : wakes).add(wake);
            catchUp();
        }
    }

    private boolean runs() {
        return up && !suspended && world.now() >= pausedUntil;
    }

    private boolean isLoopStalled() {
        return world.now() < loopStalledUntil;
    }

    private void catchUp() {
        if (catchingUp) {
            return;
        }
        catchingUp = true;
        while (runs() && (!work.isEmpty() || (!isLoopStalled() && !(inputs.isEmpty() && wakes.isEmpty())))) {
            (!work.isEmpty() ? work : !inputs.isEmpty() ? inputs : wakes)
                    .remove()
                    .run();
        }
        catchingUp = false;
    }

    // ---- faults

    /** Freezes the process, as SIGSTOP or a long garbage collection does. The clocks of the process continue. */
    public void pause(long duration) {
        world.trace(toString(), "is paused for " + duration / 1_000_000 + " ms");
        pausedUntil = Math.max(pausedUntil, world.now() + duration);
        world.agenda().at(pausedUntil, this::catchUp);
    }

    /** Gives the loop's thread no CPU time. The other threads of the process run. */
    public void stallLoop(long duration) {
        world.trace(toString(), "has its loop stalled for " + duration / 1_000_000 + " ms");
        loopStalledUntil = Math.max(loopStalledUntil, world.now() + duration);
        world.agenda().at(loopStalledUntil, this::catchUp);
    }

    /** Cuts the process off. During this time, the requests that it sends and the answers that arrive are lost. */
    public void cutOff(long duration) {
        world.trace(toString(), "is cut off for " + duration / 1_000_000 + " ms");
        cutOffUntil = Math.max(cutOffUntil, world.now() + duration);
    }

    /** Suspends the host, if faults can suspend it. The process and the monotonic clock stop. */
    public void suspend(long duration) {
        if (suspended || !maySuspend) {
            return;
        }
        world.trace(toString(), "is suspended for " + duration / 1_000_000 + " ms");
        changeClock(clock::suspend);
        suspended = true;
        world.agenda().after(duration, this::resume);
    }

    public void resume() {
        if (suspended) {
            world.trace(toString(), "resumes");
            suspended = false;
            changeClock(clock::resume);
            catchUp();
        }
    }

    /** Sets the wall clock. On a host that faults can suspend, the wall clock is only set forward. */
    public void jumpWall(long millis) {
        long allowed = maySuspend ? Math.abs(millis) : millis;
        world.trace(toString(), "has its wall clock set by " + allowed + " ms");
        changeClock(() -> clock.jumpWall(allowed));
    }

    /** Ends the pause, the loop stall, the partition and the suspension of this process. */
    public void recover() {
        pausedUntil = 0;
        loopStalledUntil = 0;
        cutOffUntil = 0;
        resume();
        catchUp();
    }

    private void changeClock(Runnable change) {
        candidates.forEach(SimCandidate::observeClaim);
        change.run();
        candidates.forEach(SimCandidate::observeClaim);
        candidates.forEach(SimCandidate::setWake);
    }

    private String identitySuffix(String election) {
        return number + "." + starts + "." + election;
    }
}
