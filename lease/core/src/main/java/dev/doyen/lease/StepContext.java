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
 * The step context: a mutable copy of the state, and the effects of the step so far.
 *
 * <p>Lives for one {@link LeaseMachine#step}. Only the rules of this package use it: {@link InputHandler}, {@link Candidacy},
 * {@link LeaseRenewal}, {@link LeaseRelease} and {@link TakeoverPolicy}.
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

    /** The one request in flight. A machine never sends a second one, so answers need no sorting. */
    @Nullable
    Request inFlight;

    long readAtNanos;

    private final List<LeaseEffect> effects = new ArrayList<>();
    private Role role;
    private Class<? extends LeaseInput> cause = LeaseInput.Woken.class;
    private long sequence;
    private Optional<Leader> told;
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
        this.sequence = state.sequence();
        this.told = state.told();
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

    /** Runs the rules for an input. The other rules of a step run because time has passed. */
    void process(LeaseInput input, LeaseInput.Cases rules) {
        cause = input.getClass();
        input.accept(rules);
        cause = LeaseInput.Woken.class;
    }

    LeaseStep finish() {
        var next = new LeaseState(
                role, observed, inFlight, sequence, readAtNanos, told, confirmed, eligibility, expiredInARow);
        return new LeaseStep(next, effects, wakeAtNanos());
    }

    Explanation explain() {
        return new Explainer(this, confirmed).explain();
    }

    /** Takes the request of this number out; returns null if the machine does not wait for that answer. */
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
        inFlight = new Request(number, Request.Kind.READ, now, null);
        // Set here and not at the answer, so that an announcement before the answer is not lost.
        readAtNanos = machine.nextReadNanos(now.nanos(), number);
        effects.add(new LeaseEffect.Read(number));
    }

    /**
     * Schedules the next read after a read that failed.
     *
     * <p>The failed read may have been the one that an announcement asked for. The store does not announce a change
     * twice.
     */
    void readAgainSoon() {
        long soon = machine.readAgainNanos(now.nanos(), sequence);
        readAtNanos = readAtNanos - soon < 0 ? readAtNanos : soon;
    }

    void write(Request.Kind kind, LeaseVersion expected, Attempt attempt) {
        long number = ++sequence;
        inFlight = new Request(number, kind, now, attempt);
        effects.add(new LeaseEffect.Write(number, expected, attempt.record()));
    }

    /** Returns a nonce that differs from those of all other writes, also of other incarnations. */
    String nonce(String incarnation) {
        return incarnation.substring(0, Math.min(incarnation.length(), 200)) + "." + (sequence + 1);
    }

    void observe(VersionedLease found) {
        boolean isNews = !found.version().equals(observed.version());
        observed = observed.seeing(found, now);
        confirmed = now;
        if (isNews && role instanceof Campaigning campaigning && takeoverPolicy.isSuccessor(campaigning.me())) {
            become(new Campaigning(
                    campaigning.me(), now.nanos(), campaigning.askNotBeforeNanos(), campaigning.doubted()));
        }
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
        if (!leader.equals(told)) {
            told = leader;
            report(new ElectionEvent.LeaderChanged(leader));
        }
    }

    /** Returns the leader by the record; empty if this candidate holds the record but does not lead. */
    Optional<Leader> observedLeader() {
        Optional<Identity> me = identity();
        return me.isPresent() && observed.isHeldBy(me.get()) ? Optional.empty() : observed.leaderAt(now, sessions);
    }

    /** Returns the leader of a later term, while the work of this term has not stopped. */
    Optional<Leader> successorOf(Stopping stopping) {
        return observedLeader()
                .filter(leader -> leader.term() > stopping.endedTerm().term());
    }

    /** Returns true if this process may hold a lease: under a session, only while it leads its session (L12). */
    boolean mayHold() {
        return machine.keeping() == RenewalMode.RENEWS_LEASE
                || sessions.own().filter(own -> own.holdsAt(now)).isPresent();
    }

    /** Returns when this candidate may acquire the lease, in nanoseconds; empty if time alone does not permit it. */
    OptionalLong takeAt(Campaigning campaigning) {
        return mayHold() ? takeoverPolicy.takeAt(campaigning) : OptionalLong.empty();
    }

    /** Returns true if the observed session has been silent for W and its fence was requested (rule L12). */
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

    private Optional<Identity> identity() {
        if (role instanceof Campaigning campaigning) {
            return Optional.of(campaigning.me());
        }
        if (role instanceof Stopping stopping) {
            return Optional.of(stopping.endedTerm().me());
        }
        return role instanceof Releasing releasing
                ? Optional.of(releasing.endedTerm().me())
                : Optional.empty();
    }

    /** Returns the next time at which a step is due without any other input. */
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
            // No timer runs while the computer is suspended, so a step reads the wall clock regularly (rule L4).
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
        if (!(role instanceof Leading) && told.isPresent() && observed.epoch().isEmpty()) {
            wake.or(observed.freeAtNanos());
        }
        return wake.atNanos();
    }

    /** The earliest of several times, but not before now. */
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
