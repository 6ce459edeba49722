package dev.doyen.lease;

import dev.doyen.event.Moment;
import java.util.Optional;

/**
 * Decides one election of one candidate or observer. Pure: everything it knows is in the state and the input.
 *
 * <p>The rules, whose full text is docs/spec/lease.md, and where each is decided:
 *
 * <pre>
 *  L1 deadline counts from before the send      Grant, Tenure.begin, Tenure.confirm
 *  L2 followers count from receipt              Sight.seeing
 *  L3 takeover by compare-and-set, term + 1     Candidacy.mayTake, Candidacy.acquire
 *  L4 both clocks bound leading                 Grant.holdsAt, Tenure.enforceDeadline
 *  L6 latch, stop, release                      Tenure.finish, Candidacy.workStopped, Candidacy.release
 *  L7 conflict stops at once, unknown does not  Tenure.conflict, Tenure.doubt
 *  L9 order of events                           the transitions of Role
 *  L10 identity                                 Identity, Sight.isHeldBy
 * </pre>
 *
 * L5 is {@link Grant#remainingAt} asked by the driver at each call; L8 is the driver's.
 */
public final class LeaseMachine {

    private final String election;
    private final LeaseTiming timing;
    private final boolean watched;
    private final long seed;

    /**
     * @param watched the store announces changes: look less often
     * @param seed spreads the looks of different machines apart; any number, best a random one
     */
    public LeaseMachine(String election, LeaseTiming timing, boolean watched, long seed) {
        this.election = election;
        this.timing = timing;
        this.watched = watched;
        this.seed = seed;
    }

    /** The state to begin with: an observer that has seen nothing, and looks at once. */
    public LeaseState begin(Moment at) {
        return new LeaseState(new Role.Observing(), Sight.NONE, null, 0, at.nanos(), Optional.empty(), null);
    }

    /** Takes one input. Inputs must come with clocks that do not run backwards on the monotonic side. */
    public LeaseStep step(LeaseState state, LeaseInput input) {
        var turn = new Turn(this, state, input.at());
        var tenure = new Tenure(turn);
        var candidacy = new Candidacy(turn, tenure);
        tenure.enforceDeadline();
        input.accept(candidacy);
        candidacy.giveUpOnSlowRequest();
        candidacy.giveUpOnRelease();
        candidacy.noticeExpiry();
        candidacy.act();
        return turn.finish();
    }

    String election() {
        return election;
    }

    LeaseTiming timing() {
        return timing;
    }

    /** The pause until the next look, spread by +-20 % so that candidates do not march in step. */
    long lookPauseNanos(long sequence) {
        long pause = (watched ? timing.watchedPollEvery() : timing.pollEvery()).toNanos();
        double spread = (mix(seed + sequence * 0x9E3779B97F4A7C15L) >>> 11) * 0x1.0p-53;
        return (long) (pause * (0.8 + 0.4 * spread));
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
