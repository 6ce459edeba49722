package dev.doyen.ranking;

import dev.doyen.event.Moment;

/**
 * Decides from a channel's presence set who leads, for one member. Pure: everything it knows is in the state and the input.
 *
 * <p>The rules, whose full text is docs/spec/ranking.md, and where each is decided:
 *
 * <pre>
 *  K1 sight                      Sight
 *  K2 one writer                 Pen
 *  K3 strangers                  PresenceData
 *  K4 winner                     Winner
 *  K5 rank                       Ranking
 *  K6 terms rise                 Terms
 *  K7 settle, K13 refused        Candidacy
 *  K8 echo, K11 stop first       Office
 *  K9 deadline, K10 proof        Tenure, Office.enforceDeadline, Office.proven
 *  K12 new connection            Inbox.connected, Inbox.detached
 *  K14 resign, K16 freeze        Inbox.resign, Inbox.freeze, Pen; V9 stand back: Inbox.standBack, Candidacy
 *  K15 sticky                    Pen.write
 *  K17 fence                     Inbox.fenced; a receiver's side is {@link dev.doyen.fence.Fence}
 *  K18 hand-over                 {@link Checkpoints}
 *  K19 heir                      Heirs, Candidacy.claimAtNanos
 * </pre>
 */
public final class RankingMachine {

    private final RankingSettings settings;

    public RankingMachine(RankingSettings settings) {
        this.settings = settings;
    }

    /**
     * The state to begin with: not connected, nothing seen.
     *
     * @param lastSeq a number below every one that this member will give its writes: 0, unless the same key wrote before
     */
    public RankingState begin(Moment now, long lastSeq) {
        if (lastSeq < 0 || lastSeq > PresenceData.MAX_TERM) {
            throw new IllegalArgumentException("lastSeq is " + lastSeq + "; its bounds are 0 and 2^52");
        }
        return new RankingState(now, lastSeq);
    }

    /** Takes one input. Called by one thread at a time for a state. */
    public RankingStep step(RankingState state, RankingInput input) {
        var turn = new RankingTurn(settings, state, input.at());
        turn.office.enforceDeadline();
        input.accept(new Inbox(turn));
        turn.decide();
        return turn.finish();
    }
}
