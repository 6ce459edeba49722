package dev.doyen.roster;

import dev.doyen.event.Moment;
import dev.doyen.membership.Member;
import dev.doyen.ranking.RankingMachine;
import dev.doyen.ranking.RankingSettings;

/**
 * Makes of views and messages what the ranking machine wants to hear: a presence set, echoes of what it wrote, answers to its
 * pings. Pure: everything it knows is in the state and the input.
 *
 * <p>The rules, whose full text is docs/spec/ranking.md, "Over a membership", and where each is decided:
 *
 * <pre>
 *  V1 views                     Attendance.installed, Attendance.received
 *  V2 one message, numbered     RosterMessage, Peer.saying
 *  V3 sight (K1)                RosterTurn.feedWhatIsDue
 *  V4 echo (K2, K8)             RosterTurn.feedWhatIsDue
 *  V5 proof (K10)               RosterTurn.feedWhatIsDue
 *  V6 stop, then answer (K11)   Attendance.received
 *  V7 what is lost              RosterTurn.sayAgain
 *  V8 order (K4, K5)            Entry.joined
 *  V9 standing back             Attendance.standBack, Attendance.leave, RosterTurn.goBlind
 *  V10 jeopardy                 RosterTurn.judgeDoubt
 * </pre>
 */
public final class RosterMachine {

    final RankingSettings settings;
    final RankingMachine ranking;

    public RosterMachine(RankingSettings settings) {
        this.settings = settings;
        this.ranking = new RankingMachine(settings);
    }

    /** The state to begin with: in no view. */
    public RosterState begin(Member me, Moment now) {
        return new RosterState(me, ranking.begin(now, 0), now);
    }

    /** How many of those it sees may claim before this member, if nobody leads; 0 if it does not see itself. */
    public int position(RosterState state) {
        var all = state.entered();
        return all.stream()
                .filter(member -> member.key().equals(state.me().toString()))
                .mapToInt(member -> settings.ranking().position(all, member))
                .sum();
    }

    /** Takes one input. Called by one thread at a time for a state. */
    public RosterStep step(RosterState state, RosterInput input) {
        var turn = new RosterTurn(this, state, input.at());
        if (!turn.gone) {
            input.accept(new Attendance(turn));
        }
        return turn.finish();
    }
}
