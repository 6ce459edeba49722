package dev.doyen.lease;

import dev.doyen.election.LeaseTiming;
import dev.doyen.event.ElectionEvent;
import dev.doyen.event.Explanation;
import dev.doyen.event.Leader;
import dev.doyen.event.Moment;
import dev.doyen.health.Eligibility;
import dev.doyen.lease.LeaseState.Request;
import dev.doyen.lease.Role.Attempt;
import dev.doyen.lease.Role.Campaigning;
import dev.doyen.lease.Role.Leading;
import dev.doyen.lease.Role.Releasing;
import dev.doyen.lease.Role.Stopping;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The mutable state and the effects of one step of a machine.
 *
 * <p>Each {@link LeaseMachine#step} creates its own step context. The classes with the rules read and change it:
 * {@link InputHandler}, {@link Candidacy}, {@link LeaseRenewal}, {@link LeaseRelease}, {@link Observation} and
 * {@link TakeoverPolicy}.
 */
final class StepContext {

    final LeaseMachine machine;
    final LeaseTiming timing;
    final Sessions sessions;
    final Moment now;
    final TakeoverPolicy takeoverPolicy = new TakeoverPolicy(this);

    ObservedRecord observed;
    Eligibility eligibility;
    int expiredInARow;

    /** The only request in flight; null if there is none. The machine ignores an answer to any other request. */
    @Nullable
    Request inFlight;

    long readAtNanos;

    Optional<StoreFault> readFault;
    Optional<StoreFault> writeFault;

    private final List<LeaseEffect> effects = new ArrayList<>();
    private Role role;
    private Class<? extends LeaseInput> cause = LeaseInput.Woken.class;
    private long sequence;
    private Optional<Leader> reported;
    private @Nullable Moment confirmed;

    StepContext(LeaseMachine machine, LeaseState state, Sessions sessions, Moment now) {
        this.machine = machine;
        this.timing = machine.timing();
        this.sessions = sessions;
        this.now = now;
        this.role = state.role();
        this.observed = state.observed();
        this.eligibility = state.eligibility();
        this.expiredInARow = state.expiredInARow();
        this.inFlight = state.inFlight();
        this.readAtNanos = state.readAtNanos();
        this.readFault = state.readFault();
        this.writeFault = state.writeFault();
        this.sequence = state.sequence();
        this.reported = state.reported();
        this.confirmed = state.confirmed();
    }

    Role role() {
        return role;
    }

    /** Changes the role. {@link Transitions} lists the possible changes. */
    void become(Role next) {
        Transitions.check(role, cause, next);
        role = next;
    }

    /**
     * Passes an input to the rules that handle it. The other rules of a step do not depend on the input, so their
     * changes of the role count as changes on {@code Woken}.
     */
    void process(LeaseInput input, LeaseInput.Cases rules) {
        cause = input.getClass();
        input.accept(rules);
        cause = LeaseInput.Woken.class;
    }

    LeaseStep finish() {
        var next = new LeaseState(
                role,
                observed,
                inFlight,
                sequence,
                readAtNanos,
                reported,
                confirmed,
                eligibility,
                expiredInARow,
                readFault,
                writeFault);
        return new LeaseStep(next, effects, wakeAtNanos());
    }

    Explanation explain(Optional<StoreFault> sessionFault) {
        return new Explainer(this, confirmed, sessionFault).explain();
    }

    /** Removes and returns the request with this number. Returns null if the machine does not wait for that answer. */
    @Nullable
    Request answered(long number) {
        Request request = inFlight;
        if (request == null || request.number() != number) {
            return null;
        }
        inFlight = null;
        return request;
    }

    void read() {
        long number = ++sequence;
        inFlight = new Request(number, RequestKind.READ, now, null);
        // Set the time of the next read now, not when the answer arrives. An announced change can set an earlier time
        // before the answer arrives, and the answer would overwrite that time.
        readAtNanos = machine.nextReadNanos(now.nanos(), number);
        effects.add(new LeaseEffect.Read(number));
    }

    /**
     * Schedules the next read after a failed read.
     *
     * <p>The machine has possibly sent the failed read because of an announced change. The store does not announce that
     * change again, so the next read follows soon.
     */
    void readAgainSoon() {
        long soon = machine.readAgainNanos(now.nanos(), sequence);
        readAtNanos = readAtNanos - soon < 0 ? readAtNanos : soon;
    }

    /**
     * Schedules the next read after a failed read, and remembers the fault.
     *
     * <p>The next read of a store that rejects reads follows only after about one ttl.
     */
    void readFailed(StoreFault fault) {
        readFault = Optional.of(fault);
        if (fault.refused()) {
            readAtNanos = machine.afterRefusalNanos(now.nanos(), sequence);
        } else {
            readAgainSoon();
        }
    }

    /** Returns the time of the next attempt after a failed write of a machine that does not lead. */
    long retryAtNanos(StoreFault fault) {
        return fault.refused()
                ? machine.afterRefusalNanos(now.nanos(), sequence)
                : now.nanos() + machine.retryPauseNanos();
    }

    void write(RequestKind kind, LeaseVersion expected, Attempt attempt) {
        long number = ++sequence;
        inFlight = new Request(number, kind, now, attempt);
        effects.add(new LeaseEffect.Write(number, kind, expected, attempt.record()));
    }

    /**
     * Returns the nonce of the next write. If the first 200 characters of {@code incarnation} are unique, no other
     * write has this nonce.
     */
    String nonce(String incarnation) {
        return incarnation.substring(0, Math.min(incarnation.length(), 200)) + "." + (sequence + 1);
    }

    /**
     * Takes the answer to a read.
     *
     * <p>The answer does not show whether the store accepts writes again. If the machine does not write soon, it
     * forgets the fault of its last write, because the fault could otherwise outlast its cause.
     */
    void observeRead(VersionedLease found) {
        observe(found);
        if (!writesSoon()) {
            writeFault = Optional.empty();
        }
    }

    /** Takes the record that the store has written. */
    void observeWritten(VersionedLease stored) {
        observe(stored);
        writeFault = Optional.empty();
    }

    /**
     * Takes the record that conflicts with a write.
     *
     * <p>A conflict does not show that the store accepts writes. A store can carry out a write, reject it, and then
     * report a conflict with that write.
     */
    void observeConflict(VersionedLease current) {
        observe(current);
        writeFault = writeFault.filter(StoreFault::refused);
    }

    private void observe(VersionedLease found) {
        boolean isChanged = !found.version().equals(observed.version());
        observed = observed.seeing(found, now);
        confirmed = now;
        readFault = Optional.empty();
        if (isChanged && role instanceof Campaigning campaigning && takeoverPolicy.isSuccessor(campaigning.me())) {
            become(new Campaigning(
                    campaigning.me(), now.nanos(), campaigning.requestNotBeforeNanos(), campaigning.doubted()));
        }
    }

    /** Returns true if the present role soon writes, unless the record changes. */
    private boolean writesSoon() {
        if (role instanceof Campaigning campaigning) {
            return !observed.isHeld() || observed.isHeldBy(campaigning.me()) || observed.isFreeAt(now, sessions);
        }
        return role instanceof Role.Observing observing ? mayEnd(observing) : !(role instanceof Role.Gone);
    }

    /** Returns true if the store has answered within the last {@code nanos}. */
    boolean isConfirmedWithin(long nanos) {
        return confirmed != null && now.nanosSince(confirmed) < nanos;
    }

    void effect(LeaseEffect effect) {
        effects.add(effect);
    }

    void report(ElectionEvent event) {
        effects.add(new LeaseEffect.Report(event));
    }

    /** Reports the leader to the listeners, if it has changed. */
    void reportLeader(Optional<Leader> leader) {
        if (!leader.equals(reported)) {
            reported = leader;
            report(new ElectionEvent.LeaderChanged(leader));
        }
    }

    /**
     * Returns the leader according to the record. The result is empty if this candidate holds the record but does not
     * lead.
     */
    Optional<Leader> observedLeader() {
        Optional<Identity> me = role.candidate();
        return me.isPresent() && observed.isHeldBy(me.get()) ? Optional.empty() : observed.leaderAt(now, sessions);
    }

    /** Returns the present leader, if it leads a later term than {@code stopping}. */
    Optional<Leader> successorOf(Stopping stopping) {
        return observedLeader()
                .filter(leader -> leader.term() > stopping.endedTerm().term());
    }

    /**
     * Returns true if this process may hold a lease. Under a session, this is true only while the process holds its
     * session (L12).
     */
    boolean mayHold() {
        return machine.renewalMode() == RenewalMode.RENEWS_LEASE
                || sessions.own().filter(own -> own.holdsAt(now)).isPresent();
    }

    /**
     * Returns the time at which this candidate may acquire the lease, in nanoseconds. The result is empty if another
     * event must happen first.
     */
    OptionalLong takeAt(Campaigning campaigning) {
        return mayHold() ? takeoverPolicy.takeAt(campaigning) : OptionalLong.empty();
    }

    /**
     * Returns true if the observed session may be fenced (rule L12). It has then been silent for its ttl, and the
     * driver has requested the fence.
     */
    boolean mayEnd(Role.Observing observing) {
        return observing.endEpoch() > 0
                && observed.asSession(timing.ttl())
                        .filter(seen -> !seen.hasEnded(observing.endEpoch()) && seen.isSilentAt(now))
                        .isPresent();
    }

    boolean isDue(long atNanos) {
        return now.nanos() - atNanos >= 0;
    }

    long latest(long oneNanos, long otherNanos) {
        return oneNanos - otherNanos >= 0 ? oneNanos : otherNanos;
    }

    /** Returns the time at which the next step is due if no other input arrives. */
    private long wakeAtNanos() {
        if (role instanceof Role.Gone) {
            return Long.MAX_VALUE;
        }
        var wake = new Earliest(now.nanos());
        if (inFlight != null) {
            wake.or(inFlight.sentAt().nanos() + machine.requestTimeoutNanos());
        } else if (role instanceof Leading leading && leading.writesRecord()) {
            wake.or(leading.renewAtNanos());
        } else {
            wake.or(readAtNanos);
            if (role instanceof Campaigning campaigning) {
                takeAt(campaigning).ifPresent(wake::or);
            } else if (role instanceof Role.Observing observing && mayEnd(observing)) {
                wake.or(observing.endNotBeforeNanos());
            }
        }
        if (role instanceof Leading leading && leading.epoch().isEmpty()) {
            // Timers do not run while the computer is suspended. So the leader wakes at regular intervals and checks
            // its deadline by the wall clock (rule L4).
            wake.or(now.nanos() + machine.retryPauseNanos());
            wake.or(leading.leaderLease().sentAt().nanos()
                    + leading.leaderLease().deadline().toNanos());
        } else if (role instanceof Releasing releasing) {
            wake.or(releasing.giveUpAtNanos());
        }
        if (role instanceof Stopping stopping) {
            stopping.releaseAtNanos().ifPresent(wake::or);
            if (successorOf(stopping).isPresent()) {
                stopping.overlapAtNanos().ifPresent(wake::or);
            }
        }
        if (!(role instanceof Leading)
                && reported.isPresent()
                && observed.epoch().isEmpty()) {
            wake.or(observed.freeAtNanos());
        }
        return wake.atNanos();
    }

    /** Computes the earliest of several times; a time in the past counts as now. */
    private static final class Earliest {
        private final long now;
        private long delay = Long.MAX_VALUE;

        Earliest(long now) {
            this.now = now;
        }

        void or(long atNanos) {
            delay = Math.min(delay, Math.max(0, atNanos - now));
        }

        long atNanos() {
            return now + delay;
        }
    }
}
