package dev.doyen.lease;

import dev.doyen.event.Moment;
import java.time.Duration;
import java.util.Optional;

/**
 * Decides one election of one candidate or observer. Pure: everything it knows is in the state and the input.
 *
 * <p>The rules, whose full text is docs/spec/lease.md, and where each is decided:
 *
 * <pre>
 *  L1 deadline counts from before the send      Grant, Tenure.begin, Tenure.confirm
 *  L2 followers count from receipt              Sight.seeing
 *  L3 takeover by compare-and-set, term + 1     Manners.takeAt, Candidacy.acquire
 *  L4 both clocks bound leading                 Grant.holdsAt, Tenure.enforceDeadline
 *  L6 latch, stop, release                      Tenure.finish, Inbox.workStopped, Departure.release
 *  L7 conflict stops at once, unknown does not  Tenure.conflict, Tenure.doubt
 *  L9 order of events                           the transitions of Role
 *  L10 identity                                 Identity, Sight.isHeldBy
 *  L12 leases held under a session              Sight.freeAt, Candidacy.fence, Tenure.begin, Tenure.enforceDeadline
 *  M1-M6 manners: pauses, heirs, priority,        Manners, Tenure.obey, Candidacy.ask
 *        orders, fitness
 * </pre>
 *
 * L5 is {@link Grant#remainingAt} asked by the driver at each call; L8 is the driver's.
 */
public final class LeaseMachine {

    /** So many ttl pass between looks at a record that changes only when its holder does, and is watched. */
    private static final int SESSION_LOOKS = 3;

    private final String election;
    private final LeaseTiming timing;
    private final Keeping keeping;
    private final Priority priority;
    private final boolean watched;
    private final long seed;

    /**
     * @param watched the store announces changes: look less often
     * @param seed spreads the looks of different machines apart; any number, best a random one
     */
    public LeaseMachine(
            String election, LeaseTiming timing, Keeping keeping, Priority priority, boolean watched, long seed) {
        this.election = election;
        this.timing = timing;
        this.keeping = keeping;
        this.priority = priority;
        this.watched = watched;
        this.seed = seed;
    }

    /** A machine that renews its lease by itself, for a candidate that is preferred to none. */
    public LeaseMachine(String election, LeaseTiming timing, boolean watched, long seed) {
        this(election, timing, Keeping.BY_RENEWAL, Priority.DEFAULT, watched, seed);
    }

    /** The state to begin with: an observer that has seen nothing, and looks at once. */
    public LeaseState begin(Moment at) {
        return new LeaseState(
                Role.Observing.ONLY, Sight.NONE, null, 0, at.nanos(), Optional.empty(), null, Fitness.FIT, 0);
    }

    /** Takes one input, where no sessions are known. */
    public LeaseStep step(LeaseState state, LeaseInput input) {
        return step(state, input, Sessions.NONE);
    }

    /** Takes one input. Inputs must come with clocks that do not run backwards on the monotonic side. */
    public LeaseStep step(LeaseState state, LeaseInput input, Sessions sessions) {
        var turn = new Turn(this, state, sessions, input.at());
        var tenure = new Tenure(turn);
        var departure = new Departure(turn, tenure);
        var candidacy = new Candidacy(turn, tenure, departure);
        var inbox = new Inbox(turn, tenure, departure, candidacy);
        tenure.enforceDeadline();
        input.accept(inbox);
        inbox.giveUpOnSlowRequest();
        departure.giveUpOnRelease();
        departure.releaseUnstopped();
        candidacy.noticeExpiry();
        departure.noticeOverlap();
        candidacy.act();
        return turn.finish();
    }

    String election() {
        return election;
    }

    LeaseTiming timing() {
        return timing;
    }

    Keeping keeping() {
        return keeping;
    }

    Priority priority() {
        return priority;
    }

    /** Everything that is to be known about why this machine leads, or does not. */
    public Explanation explain(LeaseState state, Sessions sessions, Moment now) {
        return new Turn(this, state, sessions, now).explain();
    }

    /** When to look again, spread by +-20 % so that candidates do not march in step. */
    long nextLookNanos(long nowNanos, long sequence) {
        if (isOneOfMany()) {
            // There may be very many of them, and what can be missed is an announcement, not a death.
            return onTick(spread(nowNanos, timing.ttl().multipliedBy(SESSION_LOOKS), sequence));
        }
        return spread(nowNanos, watched ? timing.watchedPollEvery() : timing.pollEvery(), sequence);
    }

    /** When to look again after a look that got no answer, as often as if nothing were announced. */
    long lookAgainNanos(long nowNanos, long sequence) {
        long at = spread(nowNanos, timing.pollEvery(), sequence);
        return isOneOfMany() ? onTick(at) : at;
    }

    private boolean isOneOfMany() {
        return watched && keeping == Keeping.UNDER_SESSION;
    }

    private long spread(long nowNanos, Duration pause, long sequence) {
        double spread = 0.8 + 0.4 * (mix(seed + sequence * 0x9E3779B97F4A7C15L) >>> 11) * 0x1.0p-53;
        return nowNanos + (long) (pause.toNanos() * spread);
    }

    /** The looks of one process fall on common ticks, so that a few requests carry them all. */
    private long onTick(long atNanos) {
        long tick = timing.pollEvery().toNanos();
        return atNanos - Math.floorMod(atNanos, tick) + tick;
    }

    /**
     * When a request counts as unknown. Nobody leads by what is asked for under a session, so it may wait in line: many
     * are sent together.
     */
    long requestTimeoutNanos() {
        return keeping == Keeping.UNDER_SESSION
                ? SESSION_LOOKS * timing.ttl().toNanos()
                : timing.requestTimeout().toNanos();
    }

    /** The pause before something that failed is tried again. */
    long retryPauseNanos() {
        return timing.renewEvery().toNanos() / 4;
    }

    /** SplitMix64's finalizer (Steele, Lea, Flood 2014): a hash, not a source of randomness. */
    private static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
