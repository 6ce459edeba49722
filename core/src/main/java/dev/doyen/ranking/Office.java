package dev.doyen.ranking;

import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Leading: by the echo of the own claim alone (K8), until the deadline (K9, K10), and stopped before anything else (K11). */
final class Office {

    private final RankingTurn turn;

    Office(RankingTurn turn) {
        this.turn = turn;
    }

    /** K9: before the input is looked at, so that a member that stood still stops first. */
    void enforceDeadline() {
        Tenure claim = turn.claim;
        if (claim != null && claim.remainingAt(turn.now).isZero()) {
            giveUpClaim(claim.whyOver(turn.now));
        }
    }

    /** K10: proof counts only while this member can see the whole channel. */
    void proven(Moment sent) {
        Tenure claim = turn.claim;
        if (claim != null && turn.connected && turn.sight.synced && sent.nanosSince(claim.proof()) > 0) {
            turn.claim = claim.provenAt(sent);
            turn.failures = 0;
        }
    }

    /** K8, K11: whether the own claim is there, and wins. */
    void judgeClaim(@Nullable Member top) {
        Tenure claim = turn.claim;
        if (claim == null) {
            return;
        }
        Member mine = turn.mine().orElse(null);
        if (mine == null || !mine.claims() || !mine.isNumbered(claim.seq())) {
            if (claim.leads()) {
                lose(LossCause.SUPERSEDED);
            }
            return;
        }
        if (top == null || !top.key().equals(mine.key())) {
            lose(LossCause.SUPERSEDED);
            return;
        }
        long term = mine.termOfClaim();
        if (claim.leads()) {
            if (term != claim.ledTerm()) {
                lose(LossCause.SUPERSEDED);
            }
        } else if (turn.terms.mayLead(term)) {
            turn.terms.lastLed = term;
            turn.claim = claim.leading(term);
            turn.effect(new RankingEffect.StartWork(term));
        } else {
            giveUpClaim(LossCause.SUPERSEDED);
        }
    }

    void watchLeader(@Nullable Member top) {
        if (top == null) {
            if (turn.leaderlessSinceNanos == null) {
                turn.leaderlessSinceNanos = turn.now.nanos();
            }
            show(null);
            return;
        }
        turn.leaderlessSinceNanos = null;
        turn.heir = null;
        boolean own = top.key().equals(turn.key);
        if (!own) {
            turn.failures = 0;
        } else if (turn.claim == null || !turn.claim.leads()) {
            // K11: who has stopped names nobody, although its claim may still stand in the set.
            return;
        }
        show(new LeaderView(top.key(), top.clientId(), top.termOfClaim()));
    }

    void ping() {
        Tenure claim = turn.claim;
        if (claim != null && turn.connected && turn.isDue(claim.nextPingAtNanos())) {
            turn.claim = claim.pingingNextAt(
                    turn.now.nanos() + Tenure.pingPeriod(turn.settings.ttl()).toNanos());
            turn.effect(new RankingEffect.Ping());
        }
    }

    /** K11: the work is told to stop before anything else is written. */
    void lose(LossCause reason) {
        Tenure claim = turn.claim;
        turn.claim = null;
        if (claim != null && claim.leads()) {
            turn.effect(new RankingEffect.StopWork(claim.ledTerm(), reason));
        }
        if (turn.shown != null && turn.shown.key().equals(turn.key)) {
            show(null);
        }
    }

    void giveUpClaim(LossCause reason) {
        lose(reason);
        turn.candidacy.backOff();
    }

    private void show(@Nullable LeaderView leader) {
        if (leader == null ? turn.shown != null : !leader.equals(turn.shown)) {
            turn.shown = leader;
            turn.effect(new RankingEffect.Leader(Optional.ofNullable(leader)));
        }
    }
}
