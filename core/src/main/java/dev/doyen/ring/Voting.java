package dev.doyen.ring;

import dev.doyen.membership.Member;
import dev.doyen.ring.RingMessage.OfLeader;

/** This member as a voter: rules Q3 to Q6. Without voters, in AP mode, everything here only passes on. */
final class Voting {

    private final RingTurn turn;

    Voting(RingTurn turn) {
        this.turn = turn;
    }

    /** A lap on its way, another's or one's own: with a grant if there is one, and not before the promise is kept. */
    void pass(OfLeader lap) {
        Vote vote = turn.vote;
        Term term = lap.term();
        if (!mayGrant(term)) {
            go(lap);
        } else if (vote.kept().equals(term)) {
            turn.vote = vote.granting(turn.now.nanos() + turn.timing.hold().toNanos());
            go(lap.grantedBy(ownBit()));
        } else if (vote.writing()) {
            // A disk that does not answer must not keep the lap from the others when it comes again.
            turn.vote = vote.notWaiting();
            go(lap);
        } else {
            turn.vote = vote.promising(term, lap);
            turn.effect(new RingEffect.Keep(term));
        }
    }

    /** What was to be kept is, or could not be. */
    void kept(Term term, boolean isKept) {
        Vote vote = turn.vote;
        if (!vote.writing() || !vote.promised().equals(term)) {
            return;
        }
        OfLeader lap = vote.waiting();
        turn.vote = vote.written(isKept);
        if (lap == null || !isCurrent(lap)) {
            return;
        }
        if (isKept) {
            pass(lap);
        } else {
            go(lap);
        }
    }

    /** The leader of this term has stopped, and says so itself. */
    void release(Term term) {
        if (turn.vote.promised().equals(term) && turn.electorate != null) {
            turn.vote = turn.vote.released(term, turn.now.nanos());
        }
    }

    private boolean mayGrant(Term term) {
        Vote vote = turn.vote;
        Member creator = term.creator();
        if (ownBit() == 0 || creator == null || term.equals(vote.over())) {
            return false;
        }
        if (term.equals(vote.promised())) {
            return true;
        }
        boolean isFree = turn.isDue(vote.waitsUntilNanos()) && turn.isDue(vote.boundUntilNanos());
        boolean isSameMember = creator.equals(vote.promised().creator());
        return term.counter() > vote.promised().counter() && (isFree || isSameMember);
    }

    /** No voter, or not the only one of its name: then none of them counts. */
    private int ownBit() {
        Seat seat = turn.seat;
        return turn.electorate == null || seat == null
                ? 0
                : turn.electorate.votersIn(seat.view()) & turn.electorate.bitOf(turn.me.id());
    }

    /** Whether a lap that waited for the disk still says something. */
    private boolean isCurrent(OfLeader lap) {
        Seat seat = turn.seat;
        Ballot ballot = turn.ballot;
        return seat != null
                && ballot != null
                && lap.view().equals(seat.view().id())
                && lap.round() == ballot.round()
                && !turn.isStale(lap.term())
                && (!turn.me.equals(lap.term().creator()) || turn.bids.isOpen(lap.term()));
    }

    private void go(OfLeader lap) {
        if (turn.seat != null && turn.seat.isAlone(turn.me)) {
            turn.bids.home(turn.me, lap);
        } else {
            turn.sendOn(lap);
        }
    }
}
