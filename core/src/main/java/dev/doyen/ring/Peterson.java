package dev.doyen.ring;

import dev.doyen.membership.Member;
import dev.doyen.ring.Ballot.Duel;
import dev.doyen.ring.RingEffect.Why;

/**
 * Peterson; Dolev, Klawe and Rodeh: each phase, an active member hears the keys of the two active ones before it, and
 * stays active only if the nearer is the greatest of the three, whose key it then stands for (rule R4). So at least half
 * of them become passive and only pass on. Who hears the key it stands for is alone, and tells that key's member.
 *
 * <p>What a member says depends on what it has heard in order and on nothing else; so each message of a link is taken
 * once, in its order, or the round is given up.
 */
final class Peterson implements Algorithm {

    private final RingTurn turn;

    Peterson(RingTurn turn) {
        this.turn = turn;
    }

    @Override
    public Ballot.Contest begin(Key mine) {
        return new Duel(false, true, mine, null, 1);
    }

    @Override
    public void enter(Seat seat, Ballot ballot) {
        Duel duel = (Duel) ballot.contest();
        if (!duel.begun()) {
            turn.ballot = ballot.with(new Duel(true, duel.active(), duel.value(), duel.first(), duel.phase()));
            say(seat, ballot, duel.phase(), false, duel.value(), turn.seen);
        }
    }

    @Override
    public void received(Seat seat, Member from, RingMessage.OfRound message) {
        Ballot ballot = turn.ballot;
        if (ballot == null) {
            return;
        }
        if (message instanceof RingMessage.Chosen chosen) {
            chosen(seat, from, chosen, ballot);
        } else if (message instanceof RingMessage.Compare compare) {
            enter(seat, ballot);
            compared(seat, from, compare);
        } else {
            turn.seating.drop(from, message, Why.OTHER_ALGORITHM);
        }
    }

    @Override
    public boolean retries(Ballot ballot) {
        return false;
    }

    @Override
    public long retryAtNanos(Ballot ballot) {
        return ballot.giveUpAtNanos();
    }

    @Override
    public void retry(Ballot ballot) {
        throw new IllegalStateException("a lost message costs the round; nothing is sent again");
    }

    private void compared(Seat seat, Member from, RingMessage.Compare compare) {
        Ballot ballot = turn.ballot;
        if (ballot == null) {
            return;
        }
        Duel duel = (Duel) ballot.contest();
        Key first = duel.first();
        boolean secondDue = first != null;
        if (compare.phase() != duel.phase() || compare.second() != secondDue) {
            boolean isLater = compare.phase() > duel.phase() || (compare.phase() == duel.phase() && compare.second());
            turn.seating.drop(from, compare, isLater ? Why.OUT_OF_ORDER : Why.REPEATED);
            return;
        }
        turn.laps.outrank(ballot, compare.key());
        Term seen = compare.seen().orLater(turn.seen);
        if (!duel.active()) {
            turn.ballot = ballot.with(heard(duel, compare, false, duel.value()));
            say(seat, ballot, compare.phase(), compare.second(), compare.key(), seen);
        } else if (first == null) {
            boolean alone = compare.key().equals(duel.value());
            turn.ballot = ballot.with(heard(duel, compare, !alone, duel.value()));
            if (alone) {
                found(seat, duel.value().member(), seen);
            } else {
                say(seat, ballot, compare.phase(), true, compare.key(), seen);
            }
        } else {
            boolean stays = first.beats(duel.value()) && first.beats(compare.key());
            turn.ballot = ballot.with(heard(duel, compare, stays, stays ? first : duel.value()));
            if (stays) {
                say(seat, ballot, duel.phase() + 1, false, first, turn.seen);
            }
        }
    }

    /** What is due after {@code compare}. */
    private static Duel heard(Duel duel, RingMessage.Compare compare, boolean active, Key value) {
        return compare.second()
                ? new Duel(true, active, value, null, duel.phase() + 1)
                : new Duel(true, active, value, compare.key(), duel.phase());
    }

    private void found(Seat seat, Member winner, Term seen) {
        Ballot ballot = turn.ballot;
        if (ballot != null && winner.equals(turn.me)) {
            turn.laps.win(ballot.began(), seen);
        } else if (ballot != null) {
            turn.sendOn(new RingMessage.Chosen(seat.view().id(), ballot.round(), winner, seen));
        }
    }

    private void chosen(Seat seat, Member from, RingMessage.Chosen chosen, Ballot ballot) {
        if (ballot.decided() || !seat.view().has(chosen.winner())) {
            turn.seating.drop(from, chosen, Why.REPEATED);
        } else {
            found(seat, chosen.winner(), chosen.seen());
        }
    }

    private void say(Seat seat, Ballot ballot, int phase, boolean second, Key key, Term seen) {
        turn.sendOn(new RingMessage.Compare(seat.view().id(), ballot.round(), phase, second, key, seen));
    }
}
