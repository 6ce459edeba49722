package dev.doyen.ranking;

import dev.doyen.event.LossCause;
import dev.doyen.ranking.RankingState.Phase;

/** Takes each input to the rule that decides it. */
final class Inbox implements RankingInput.Cases {

    private final RankingTurn turn;

    Inbox(RankingTurn turn) {
        this.turn = turn;
    }

    @Override
    public void connected(RankingInput.Connected input) {
        if (!input.key().equals(turn.key)) {
            turn.office.lose(LossCause.SUPERSEDED);
            forgetChannel();
        }
        turn.key = input.key();
        turn.connected = true;
    }

    @Override
    public void disconnected(RankingInput.Disconnected input) {
        turn.connected = false;
        turn.leaderlessSinceNanos = null;
    }

    @Override
    public void detached(RankingInput.Detached input) {
        turn.office.lose(LossCause.SUPERSEDED);
        forgetChannel();
    }

    @Override
    public void syncStarted(RankingInput.SyncStarted input) {
        turn.sight.begin();
        turn.leaderlessSinceNanos = null;
    }

    @Override
    public void syncComplete(RankingInput.SyncComplete input) {
        turn.sight.complete(input.members());
    }

    @Override
    public void memberHeard(RankingInput.MemberHeard input) {
        turn.sight.hear(input.member(), input.action() == RankingInput.Action.LEAVE);
        // What a sync shows may have been ordered long ago.
        if (input.action() == RankingInput.Action.UPDATE) {
            turn.heirs.heed(input.member());
        }
    }

    @Override
    public void acked(RankingInput.Acked input) {
        // K8: only the echo says what the channel saw, and in which order.
    }

    @Override
    public void refused(RankingInput.Refused input) {
        turn.terms.observe(input.term().orElse(0));
        turn.terms.exclusive = true;
        turn.pen.failed(input.seq());
    }

    @Override
    public void failed(RankingInput.Failed input) {
        turn.pen.failed(input.seq());
        turn.writeAtNanos = turn.now.nanos() + turn.candidacy.backoffNanos();
    }

    @Override
    public void fenced(RankingInput.Fenced input) {
        if (turn.claim != null && turn.claim.leads() && turn.claim.ledTerm() == input.term()) {
            turn.office.lose(LossCause.SUPERSEDED);
        }
    }

    @Override
    public void pingAnswered(RankingInput.PingAnswered input) {
        turn.office.proven(input.sent());
    }

    @Override
    public void termSeen(RankingInput.TermSeen input) {
        turn.terms.observe(input.term());
    }

    @Override
    public void tick(RankingInput.Tick input) {
        // Everything that is due is decided after any input.
    }

    @Override
    public void resign(RankingInput.Resign input) {
        if (turn.claim != null) {
            turn.office.lose(LossCause.RESIGNED);
            turn.restUntilNanos = turn.now.nanos()
                    + input.cooldown().orElse(turn.settings.cooldown()).toNanos();
        }
    }

    @Override
    public void standBack(RankingInput.StandBack input) {
        turn.office.lose(input.reason());
        turn.standsBack = true;
    }

    @Override
    public void stand(RankingInput.Stand input) {
        turn.standsBack = false;
    }

    @Override
    public void freeze(RankingInput.Freeze input) {
        quit(Phase.FROZEN, LossCause.SUSPENDED);
    }

    @Override
    public void thaw(RankingInput.Thaw input) {
        if (turn.phase == Phase.FROZEN) {
            turn.phase = Phase.OPEN;
        }
    }

    @Override
    public void close(RankingInput.Close input) {
        quit(Phase.CLOSED, input.reason());
    }

    private void quit(Phase phase, LossCause reason) {
        if (turn.phase == Phase.CLOSED || turn.phase == phase) {
            return;
        }
        turn.office.lose(reason);
        // Also if it is not in the set: the SDK may have entered it again a moment ago.
        if (turn.connected && turn.phase == Phase.OPEN) {
            turn.effect(new RankingEffect.Leave());
        }
        turn.phase = phase;
        turn.pen.outstanding = null;
        turn.leaderlessSinceNanos = null;
    }

    private void forgetChannel() {
        turn.connected = false;
        turn.sight.forget();
        turn.pen.outstanding = null;
        turn.leaderlessSinceNanos = null;
        turn.heir = null;
    }
}
