package dev.doyen.ring;

import dev.doyen.event.Moment;
import dev.doyen.membership.Member;
import java.util.List;

/**
 * Decides a ring election for one member. Pure: everything it knows is in the state and the input.
 *
 * <p>The rules, whose full text is docs/spec/ring.md, and where each is decided:
 *
 * <pre>
 *  R1 order on the ring                         View
 *  R2 who begins, and with what                 Seating.installed, Rounds.enter
 *  R3 messages of other views                   Seating.received, Seating.hold
 *  R4 the contest                               ChangRoberts, Peterson, Key, RingOrder
 *  R5 what is lost is sent again                ChangRoberts.retry, Rounds.giveUp
 *  R6 the winner's lap                          Laps.win, Laps.elected
 *  R7 the leader's laps                         Laps.beat, Laps.received, Rounds.giveUp
 *  R8 pauses                                    Reign.remainingAt, Laps.enforceDeadline
 *  R9 a greater key or term ends a leadership   Laps.outrank, Laps.nacked
 *  R10 alone                                    Rounds.enter
 *  R11 what is dropped                          Seating.received, Rounds.received
 *  R12 resigning, standing back, observing      Inbox.resign, Inbox.standBack, Key.stands
 *  Q1 who votes                                 Electorate, Voting.ownBit
 *  Q2 where too few voters are                  Bids.installed, Bids.isQuorate
 *  Q3 one member for each term                  Voting.mayGrant, RingTurn.isStale
 *  Q4 kept before it is granted                 Voting.pass, Voting.kept
 *  Q5 how long a grant holds                    Voting.mayGrant, RingMachine.begin
 *  Q6 a lap counts with enough grants           Bids.home
 *  Q7 asking the voters                         Bids.won, Bids.askAgain, Laps.received
 *  Q8 who leads stops in time                   Bids.home, Reign.remainingAt
 *  Q9 a vote is free again                      Succession.tell, Voting.release
 *  H1-H3 handing over                           Succession
 * </pre>
 */
public final class RingMachine {

    private final RingSettings settings;

    public RingMachine(RingSettings settings) {
        this.settings = settings;
    }

    /** The state to begin with in AP mode: no view, no leader. */
    public RingState begin(Member me) {
        return begin(me, Vote.begin(Term.NONE, 0));
    }

    /**
     * The state to begin with in quorum mode.
     *
     * @param kept what {@link RingEffect.Keep} has had kept last under this voter's id, or {@link Term#NONE}
     * @param now after this voter's last start: what it granted before may hold on for {@link RingTiming#hold} from here
     */
    public RingState begin(Member me, Term kept, Moment now) {
        return begin(me, Vote.begin(kept, now.nanos() + settings.timing().hold().toNanos()));
    }

    private static RingState begin(Member me, Vote vote) {
        return new RingState(
                me,
                null,
                RingState.NOT_JOINED,
                List.of(),
                List.of(),
                null,
                null,
                null,
                vote,
                0,
                null,
                vote.kept(),
                RingState.Heard.NOBODY,
                0,
                true,
                false,
                0,
                false);
    }

    /** Takes one input. Called by one thread at a time for a state. */
    public RingStep step(RingState state, RingInput input) {
        Moment now = input.at();
        var turn = new RingTurn(settings, state, now);
        if (!turn.gone) {
            turn.laps.enforceDeadline();
            input.accept(new Inbox(turn));
        }
        return turn.finish();
    }
}
