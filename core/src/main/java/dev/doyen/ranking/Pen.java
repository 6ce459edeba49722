package dev.doyen.ranking;

import dev.doyen.event.LossCause;
import dev.doyen.ranking.RankingState.Write;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What this member writes, one write at a time (rule K2): it undoes what must not stand (K11), enters, gives its word (K19),
 * says whether it is eligible (K14), and claims if nobody leads (K15).
 */
final class Pen {

    private final RankingTurn turn;

    long seq;

    @Nullable
    Write outstanding;

    Pen(RankingTurn turn, RankingState state) {
        this.turn = turn;
        this.seq = state.seq;
        this.outstanding = state.outstanding;
    }

    void write(@Nullable Member top) {
        if (outstanding != null && turn.isDue(answerDueNanos(outstanding))) {
            abandon(outstanding);
        }
        if (outstanding != null || !turn.isDue(turn.writeAtNanos)) {
            return;
        }
        Member mine = turn.mine().orElse(null);
        boolean stands = turn.candidacy.stands();
        if (mine == null || mustUndo(mine) || (!mine.claims() && mine.eligible() != stands)) {
            long number = next();
            turn.effect(new RankingEffect.Follow(number, turn.terms.max, stands));
        } else if (turn.claim == null && top == null && stands && turn.isDue(turn.candidacy.claimAtNanos(mine))) {
            claim();
        }
    }

    /** The own data came back, with that number or a later one. */
    void echoed(Member member) {
        Write write = outstanding;
        if (write != null
                && member.key().equals(turn.key)
                && member.seq().isPresent()
                && member.seq().getAsLong() >= write.seq()) {
            outstanding = null;
        }
    }

    void failed(long number) {
        if (outstanding != null && outstanding.seq() == number) {
            outstanding = null;
        }
        if (turn.claim != null && turn.claim.seq() == number) {
            turn.office.giveUpClaim(LossCause.SUPERSEDED);
        } else {
            turn.failures++;
        }
    }

    /** Nobody answered: what it claimed, if that was it, did not come to be, however well pings are answered since. */
    private void abandon(Write write) {
        outstanding = null;
        if (turn.claim != null && turn.claim.seq() == write.seq()) {
            turn.office.giveUpClaim(LossCause.EXPIRED);
        }
    }

    /** When time alone makes it write, if the channel is in sight. */
    Optional<Long> wakeAtNanos() {
        if (outstanding != null) {
            return Optional.of(answerDueNanos(outstanding));
        }
        Member mine = turn.mine().orElse(null);
        if (mine == null || mustUndo(mine)) {
            return Optional.of(turn.writeAtNanos);
        }
        if (mine.claims() || !turn.settings.candidate()) {
            return Optional.empty();
        }
        if (turn.standsBack) {
            return mine.eligible() ? Optional.of(turn.writeAtNanos) : Optional.empty();
        }
        if (!mine.eligible()) {
            return Optional.of(RankingTurn.later(turn.restUntilNanos, turn.writeAtNanos));
        }
        if (turn.claim != null || turn.leaderlessSinceNanos == null) {
            return Optional.empty();
        }
        return Optional.of(RankingTurn.later(turn.candidacy.claimAtNanos(mine), turn.writeAtNanos));
    }

    private void claim() {
        long ttlPing = Tenure.pingPeriod(turn.settings.ttl()).toNanos();
        long term = turn.terms.next();
        turn.claim =
                new Tenure(next(), term, 0, turn.now, Tenure.safePart(turn.settings.ttl()), turn.now.nanos() + ttlPing);
        turn.effect(new RankingEffect.Claim(seq, term));
    }

    private long next() {
        seq++;
        outstanding = new Write(seq, turn.now.nanos());
        return seq;
    }

    private long answerDueNanos(Write write) {
        return write.atNanos() + turn.settings.answer().toNanos();
    }

    /**
     * A claim under the own key that is not the present one (K11): the SDK entered it again, or it was given up. Or what the hub
     * wrote as it took the claim away (K19): overwriting that says that the work has stopped.
     */
    private boolean mustUndo(Member mine) {
        if (mine.claims()) {
            return turn.claim == null || !mine.isNumbered(turn.claim.seq());
        }
        return mine.ended().isPresent();
    }
}
