package dev.doyen.simulator.world;

import dev.doyen.event.ElectionEvent;
import dev.doyen.event.Moment;
import dev.doyen.event.SavedState;
import dev.doyen.health.Eligibility;
import dev.doyen.lease.Identity;
import dev.doyen.lease.LeaderLease;
import dev.doyen.lease.LeaseEffect;
import dev.doyen.lease.LeaseInput;
import dev.doyen.lease.LeaseMachine;
import dev.doyen.lease.LeaseState;
import dev.doyen.lease.LeaseStep;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A candidate with the shipped machine and a driver like the shipped driver.
 *
 * <p>The driver reads the clocks once for each input. The driver replaces the state before it carries out the
 * effects, and sets one timer.
 */
public final class SimCandidate {

    private final World world;
    private final SimProcess process;
    private final String election;
    private final Identity me;
    private final LeaseMachine machine;
    private final Carrier carrier = new Carrier();
    private final TreeMap<Long, Long> saves = new TreeMap<>();

    private LeaseState state;
    private long wakeAtNanos;
    private int wakes;
    private boolean noticePending;
    private boolean campaigning;
    private boolean leaving;
    private boolean dead;
    private @Nullable Work work;
    private long lastSave;

    // The last observed claim to lead: its leader lease, the time of its beginning, and the time of the last
    // observation.
    private @Nullable LeaderLease claimed;
    private long claimFrom;
    private long claimSeen;

    SimCandidate(World world, SimProcess process, String election, Identity me, LeaseMachine machine) {
        this.world = world;
        this.process = process;
        this.election = election;
        this.me = me;
        this.machine = machine;
        this.state = machine.begin(process.clock().now());
    }

    public World world() {
        return world;
    }

    public SimProcess process() {
        return process;
    }

    public String election() {
        return election;
    }

    public Identity me() {
        return me;
    }

    public LeaseState state() {
        return state;
    }

    /** Returns the work of the last term that this candidate won. */
    public Optional<Work> work() {
        return Optional.ofNullable(work);
    }

    /** Returns the time at which the machine must be woken, on its monotonic clock. */
    public long wakeAtNanos() {
        return wakeAtNanos;
    }

    public boolean isDead() {
        return dead;
    }

    public boolean hasEnded() {
        return state.hasEnded();
    }

    /** Returns the answer of {@code isLeader()} at this instant (rule L5). */
    public boolean isLeader() {
        return !dead && state.leads(process.clock().at(world.now()));
    }

    @Override
    public String toString() {
        return process + (world.elections().size() > 1 ? "/" + election : "");
    }

    // ---- calls of its process

    void begin() {
        submit(LeaseInput.Woken::new);
        campaign();
    }

    public void campaign() {
        if (!campaigning && !leaving) {
            campaigning = true;
            submit(at -> new LeaseInput.Campaign(at, me));
        }
    }

    public void withdraw() {
        if (campaigning && !leaving) {
            campaigning = false;
            submit(LeaseInput.Withdraw::new);
        }
    }

    /** Resigns in favour of the named successor, or of any successor if {@code successor} is {@code ""}. */
    public void resign(String successor) {
        submit(at -> new LeaseInput.Resign(at, 0, process.timing().resignCooldown(), successor));
    }

    /** Reports the health of the process. */
    public void judge(Eligibility eligibility) {
        submit(at -> new LeaseInput.EligibilityChanged(at, eligibility));
    }

    public void leave() {
        leaving = true;
        submit(LeaseInput.Leave::new);
    }

    void save(long count) {
        submit(at -> {
            long save = ++lastSave;
            saves.put(save, count);
            return new LeaseInput.Save(at, save, SavedState.ofText(Long.toString(count)));
        });
    }

    void workStopped(long term) {
        world.trace(toString(), "work of term " + term + " has stopped");
        submit(at -> new LeaseInput.WorkStopped(at, term));
    }

    void notice() {
        if (!noticePending) {
            noticePending = true;
            submit(at -> {
                noticePending = false;
                return new LeaseInput.ChangeAnnounced(at);
            });
        }
    }

    // ---- the driver

    void submit(Function<Moment, LeaseInput> input) {
        if (!dead) {
            process.whenLoopRuns(() -> take(input));
        }
    }

    private void take(Function<Moment, LeaseInput> input) {
        if (dead || state.hasEnded()) {
            return;
        }
        observeClaim();
        LeaseInput next = input.apply(process.clock().now());
        if (world.isTraced() && !(next instanceof LeaseInput.Woken)) {
            world.trace(toString(), "<- " + TraceText.of(next));
        }
        LeaseStep step;
        try {
            step = machine.step(state, next);
        } catch (RuntimeException e) {
            throw new Violation("MachineNeverThrows", this + " at " + TraceText.of(next) + ": " + e);
        }
        state = step.next();
        wakeAtNanos = step.wakeAtNanos();
        setWake();
        world.witness().stepped(this, next);
        for (LeaseEffect effect : step.effects()) {
            effect.accept(carrier);
        }
        observeClaim();
    }

    void setWake() {
        int number = ++wakes;
        if (dead || state.hasEnded()) {
            return;
        }
        long time = process.clock().timeOf(wakeAtNanos);
        if (time != Long.MAX_VALUE) {
            world.agenda().at(time, () -> wake(number));
        }
    }

    private void wake(int number) {
        if (number == wakes) {
            process.wakeLoop(() -> {
                if (number == wakes) {
                    take(LeaseInput.Woken::new);
                }
            });
        }
    }

    void die() {
        observeClaim();
        dead = true;
        wakes++;
        observeClaim();
    }

    // ---- its claim to lead

    /**
     * Records the claim to lead. The caller calls this method before and after each action that can change the answer
     * of {@code isLeader()}.
     */
    void observeClaim() {
        long now = world.now();
        LeaderLease before = claimed;
        if (before != null && !holds(Optional.of(before), now)) {
            endClaim(before, lastHeld(before, now));
            before = null;
        }
        LeaderLease present = dead ? null : state.leaderLease().orElse(null);
        if (before != null && (present == null || present.term() != before.term())) {
            endClaim(before, now);
            before = null;
        }
        if (present != null && holds(Optional.of(present), now)) {
            if (before == null) {
                claimFrom = now;
            }
            claimed = present;
            claimSeen = now;
            world.witness().claims(this);
        }
    }

    private void endClaim(LeaderLease grant, long to) {
        claimed = null;
        if (to > claimFrom) {
            world.witness().claimEnded(this, grant.term(), claimFrom, to);
        }
    }

    /**
     * Finds the end of the claim by binary search. The clocks were linear between the last observation and {@code now}.
     */
    private long lastHeld(LeaderLease grant, long now) {
        long held = claimSeen;
        long lapsed = now;
        while (lapsed - held > 1) {
            long middle = held + (lapsed - held) / 2;
            if (holds(Optional.of(grant), middle)) {
                held = middle;
            } else {
                lapsed = middle;
            }
        }
        return lapsed;
    }

    private boolean holds(Optional<LeaderLease> grant, long time) {
        return grant.isPresent() && grant.get().holdsAt(process.clock().at(time));
    }

    /** Carries out effects, inside {@link #take}. */
    private final class Carrier implements LeaseEffect.Cases {
        @Override
        public void read(LeaseEffect.Read effect) {
            world.network().read(SimCandidate.this, effect);
        }

        @Override
        public void write(LeaseEffect.Write effect) {
            if (world.isTraced()) {
                world.trace(SimCandidate.this.toString(), "-> " + TraceText.of(effect));
            }
            world.witness().sent(SimCandidate.this, effect);
            world.network().write(SimCandidate.this, effect);
        }

        @Override
        public void report(LeaseEffect.Report effect) {
            ElectionEvent event = effect.event();
            if (world.isTraced()) {
                world.trace(SimCandidate.this.toString(), "## " + event);
            }
            world.witness().onEvent(SimCandidate.this, event);
            if (event instanceof ElectionEvent.Elected elected) {
                work = world.work(SimCandidate.this, elected.term(), elected.state());
            } else if (event instanceof ElectionEvent.Lost && work != null) {
                work.end();
            }
        }

        @Override
        public void blocked(LeaseEffect.Blocked effect) {}

        @Override
        public void saved(LeaseEffect.Saved effect) {
            Map.Entry<Long, Long> last = saves.floorEntry(effect.save());
            if (last == null) {
                throw new Violation(
                        "HandOverStateNeverGoesBack",
                        SimCandidate.this + " confirms save " + effect.save() + ", which was not requested");
            }
            saves.headMap(effect.save(), true).clear();
            world.witness().saveConfirmed(SimCandidate.this, last.getValue());
        }

        @Override
        public void settled(LeaseEffect.Settled effect) {}

        @Override
        public void fence(LeaseEffect.Fence effect) {}

        @Override
        public void ended(LeaseEffect.Ended effect) {
            world.trace(SimCandidate.this.toString(), "## ended");
            world.witness().ended(SimCandidate.this);
            if (world.isHealed()) {
                world.agenda().after(0, () -> process.rejoin(SimCandidate.this));
            }
        }
    }
}
