package dev.doyen.lease;

import dev.doyen.election.LeaseTiming;
import dev.doyen.election.Priority;
import dev.doyen.event.Explanation;
import dev.doyen.event.Moment;
import dev.doyen.health.Eligibility;
import java.time.Duration;
import java.util.Optional;

/**
 * Decides one election for one candidate or observer. The machine is a pure function of state and input.
 *
 * <p>The rules are in docs/spec/lease.md. This table lists the code that implements each rule:
 *
 * <pre>
 *  L1   deadline counts from the send time          LeaderLease, LeaseRenewal.begin, LeaseRenewal.confirm
 *  L2   followers count from the receipt            ObservedRecord.seeing
 *  L3   takeover by compare-and-set, term + 1       TakeoverPolicy.takeAt, Candidacy.acquire
 *  L4   both clocks limit a leadership              LeaderLease.holdsAt, LeaseRenewal.enforceDeadline
 *  L6   latch, stop, release                        LeaseRenewal.finish, InputHandler.workStopped, LeaseRelease.release
 *  L7   conflict ends a term, unknown does not      LeaseRenewal.conflict, LeaseRenewal.doubt
 *  L9   order of events                             Transitions
 *  L10  identity                                    Identity, ObservedRecord.isHeldBy
 *  L12  leases under a session                      ObservedRecord.freeAt, Observation.fence, StepContext.mayHold,
 *                                                   LeaseRenewal.begin, LeaseRenewal.enforceDeadline,
 *                                                   LeaseRelease.releaseUnstopped
 *  M1-M6  pause, successor, priority, step-down     TakeoverPolicy, Candidacy.requestStepDown,
 *         request, eligibility                      LeaseRenewal.applyCommand
 *  M7   delay after repeated expiry                 LeaseRenewal.campaignAgain
 *  M8   request to a leader of lower generation     TakeoverPolicy.stepDownRequest
 * </pre>
 *
 * <p>{@link LeaderLease#holdsAt} also implements L5, because the API calls it at each use of a leadership. The driver
 * implements L8.
 */
public final class LeaseMachine {

    /**
     * The number of ttls between two reads of a lease under a session. This interval applies if the store announces
     * changes. The request timeout under a session has the same length.
     */
    private static final int SESSION_READS = 3;

    private final String election;
    private final LeaseTiming timing;
    private final RenewalMode renewalMode;
    private final Priority priority;
    private final boolean watched;
    private final long seed;

    /**
     * @param watched true if the store announces changes; the machine then reads less often
     * @param seed the seed of the jitter, which is also part of the nonces of fences, preferably random. Each machine
     *     has a different seed, so the machines read at different times, and no two fences have the same nonce
     */
    public LeaseMachine(
            String election,
            LeaseTiming timing,
            RenewalMode renewalMode,
            Priority priority,
            boolean watched,
            long seed) {
        this.election = election;
        this.timing = timing;
        this.renewalMode = renewalMode;
        this.priority = priority;
        this.watched = watched;
        this.seed = seed;
    }

    /** Creates a machine without a session, for a candidate of the default priority. */
    public LeaseMachine(String election, LeaseTiming timing, boolean watched, long seed) {
        this(election, timing, RenewalMode.RENEWS_LEASE, Priority.DEFAULT, watched, seed);
    }

    /** Returns the initial state. In this state the machine is an observer and must read the record at once. */
    public LeaseState begin(Moment at) {
        return new LeaseState(
                Role.Observing.ONLY,
                ObservedRecord.NONE,
                null,
                0,
                at.nanos(),
                Optional.empty(),
                null,
                Eligibility.FIT,
                0,
                Optional.empty(),
                Optional.empty());
    }

    /** Takes one input, in an election without sessions. */
    public LeaseStep step(LeaseState state, LeaseInput input) {
        return step(state, input, Sessions.NONE);
    }

    /**
     * Takes one input and returns the next state with its effects.
     *
     * <p>The monotonic clock of successive inputs must not run backwards.
     */
    public LeaseStep step(LeaseState state, LeaseInput input, Sessions sessions) {
        var step = new StepContext(this, state, sessions, input.at());
        var renewal = new LeaseRenewal(step);
        var leaseRelease = new LeaseRelease(step, renewal);
        var candidacy = new Candidacy(step, leaseRelease);
        var observation = new Observation(step);
        var inbox = new InputHandler(step, renewal, leaseRelease, candidacy);
        renewal.enforceDeadline();
        step.process(input, inbox);
        inbox.giveUpOnSlowRequest();
        leaseRelease.giveUpOnRelease();
        leaseRelease.releaseUnstopped();
        observation.reportExpiry();
        leaseRelease.reportOverlap();
        if (step.inFlight == null) {
            sendNext(step, renewal, leaseRelease, candidacy, observation);
        }
        return step.finish();
    }

    /** Sends the request that the present role requires, or a read if one is due. */
    private static void sendNext(
            StepContext step,
            LeaseRenewal renewal,
            LeaseRelease leaseRelease,
            Candidacy candidacy,
            Observation observation) {
        if (step.role() instanceof Role.Leading leading && leading.writesRecord()) {
            renewal.renewIfDue(leading);
        } else if (step.role() instanceof Role.Releasing releasing
                && releasing.mine().isPresent()) {
            leaseRelease.release(releasing.endedTerm(), releasing.mine().get());
        } else if (step.role() instanceof Role.Campaigning campaigning) {
            candidacy.sendNext(campaigning);
        } else if (step.role() instanceof Role.Observing observing && observation.isFenceDue(observing)) {
            observation.fence(observing);
        } else if (!(step.role() instanceof Role.Gone) && step.isDue(step.readAtNanos)) {
            step.read();
        }
    }

    String election() {
        return election;
    }

    LeaseTiming timing() {
        return timing;
    }

    RenewalMode renewalMode() {
        return renewalMode;
    }

    Priority priority() {
        return priority;
    }

    /** Returns the prefix of the nonces of this machine's fences. An observer has no incarnation. */
    String fenceNonce() {
        return "fence." + Long.toHexString(seed);
    }

    /**
     * Explains why this machine leads, or does not lead.
     *
     * @param sessionFault the store fault that prevents this process from holding its session; empty if there is none
     */
    public Explanation explain(LeaseState state, Sessions sessions, Optional<StoreFault> sessionFault, Moment now) {
        return new StepContext(this, state, sessions, now).explain(sessionFault);
    }

    /**
     * Returns the time of the next read. Its jitter of +-20 % prevents all candidates from reading at the same time.
     */
    long nextReadNanos(long nowNanos, long sequence) {
        if (isOneOfMany()) {
            // A process can hold very many leases, so it reads each of them rarely. A late read can delay the reaction
            // to a step-down request or a pause, but not the end of a lease.
            return onTick(spread(nowNanos, timing.ttl().multipliedBy(SESSION_READS), sequence));
        }
        return spread(nowNanos, watched ? timing.watchedPollEvery() : timing.pollEvery(), sequence);
    }

    /** Returns the time of the next read after a failed read. The interval is short even if the store is watched. */
    long readAgainNanos(long nowNanos, long sequence) {
        long at = spread(nowNanos, timing.pollEvery(), sequence);
        return isOneOfMany() ? onTick(at) : at;
    }

    private boolean isOneOfMany() {
        return watched && renewalMode == RenewalMode.RENEWS_SESSION;
    }

    private long spread(long nowNanos, Duration pause, long sequence) {
        double spread = 0.8 + 0.4 * (mix(seed + sequence * 0x9E3779B97F4A7C15L) >>> 11) * 0x1.0p-53;
        return nowNanos + (long) (pause.toNanos() * spread);
    }

    /**
     * Rounds a time up to the next multiple of the poll interval. So the elections of a process read at the same times,
     * and their reads share a batch.
     */
    private long onTick(long atNanos) {
        long tick = timing.pollEvery().toNanos();
        return atNanos - Math.floorMod(atNanos, tick) + tick;
    }

    /**
     * Returns the time after which the outcome of a request counts as unknown.
     *
     * <p>Under a session this time is longer, because a request can wait for a batch, and no leadership depends on a
     * fast answer.
     */
    long requestTimeoutNanos() {
        return renewalMode == RenewalMode.RENEWS_SESSION
                ? SESSION_READS * timing.ttl().toNanos()
                : timing.requestTimeout().toNanos();
    }

    /** Returns the delay before a failed request is tried again. */
    long retryPauseNanos() {
        return timing.renewEvery().toNanos() / 4;
    }

    /**
     * Returns the time of the next attempt after the store has rejected a request because of a missing right.
     *
     * <p>The pause is about one ttl, because only an operator can change the rights.
     */
    long afterRefusalNanos(long nowNanos, long sequence) {
        return spread(nowNanos, timing.ttl(), sequence);
    }

    /** Returns a hash of {@code z}: the finalizer of SplitMix64 (Steele, Lea, Flood 2014). */
    private static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
