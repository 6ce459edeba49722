package dev.doyen.ring;

import dev.doyen.membership.Member;
import dev.doyen.ring.RingEffect.Why;
import dev.doyen.ring.RoundState.Duel;

/**
 * The algorithm of Peterson, 1982, and of Dolev, Klawe and Rodeh, 1982 (rule R4).
 *
 * <p>In each phase an active member receives the keys of the two active members before it. It stays active if the
 * nearer key is the greatest of the three, and represents that key from then on. Otherwise it only forwards. So each
 * phase leaves at most half of the active members. A member that receives the key that it represents is the only active
 * one, and notifies the member of that key.
 *
 * <p>The messages of a member depend only on what it has received, in order. So it accepts each message of a link once
 * and in order. A lost message costs the round.
 */
final class Peterson implements Algorithm {

    private final RingTurn turn;

    Peterson(RingTurn turn) {
        this.turn = turn;
    }

    @Override
    public RoundState.Contest begin(Key mine) {
        return new Duel(false, true, mine, null, 1);
    }

    @Override
    public void enter(Seat seat, RoundState round) {
        Duel duel = (Duel) round.contest();
        if (!duel.begun()) {
            turn.round = round.with(new Duel(true, duel.active(), duel.value(), duel.first(), duel.phase()));
            say(seat, round, duel.phase(), false, duel.value(), turn.passed());
        }
    }

    @Override
    public void received(Seat seat, Member from, RingMessage.OfRound message) {
        RoundState round = turn.round;
        if (round == null) {
            return;
        }
        if (message instanceof RingMessage.Chosen chosen) {
            chosen(seat, from, chosen, round);
        } else if (message instanceof RingMessage.Compare compare) {
            enter(seat, round);
            compared(seat, from, compare);
        } else {
            turn.seating.drop(from, message, Why.OTHER_ALGORITHM);
        }
    }

    @Override
    public boolean retries(RoundState round) {
        return false;
    }

    @Override
    public long retryAtNanos(RoundState round) {
        return round.giveUpAtNanos();
    }

    @Override
    public void retry(RoundState round) {
        throw new IllegalStateException("a lost message costs the round; nothing is sent again");
    }

    private void compared(Seat seat, Member from, RingMessage.Compare compare) {
        RoundState round = turn.round;
        if (round == null) {
            return;
        }
        Duel duel = (Duel) round.contest();
        Key first = duel.first();
        boolean secondDue = first != null;
        if (compare.phase() != duel.phase() || compare.second() != secondDue) {
            boolean isLater = compare.phase() > duel.phase() || (compare.phase() == duel.phase() && compare.second());
            turn.seating.drop(from, compare, isLater ? Why.OUT_OF_ORDER : Why.REPEATED);
            return;
        }
        turn.laps.outrank(round, compare.key());
        Passed passed = compare.passed().and(turn.passed());
        if (!duel.active()) {
            turn.round = round.with(heard(duel, compare, false, duel.value()));
            say(seat, round, compare.phase(), compare.second(), compare.key(), passed);
        } else if (first == null) {
            boolean alone = compare.key().equals(duel.value());
            turn.round = round.with(heard(duel, compare, !alone, duel.value()));
            if (alone) {
                found(seat, duel.value().member(), passed);
            } else {
                say(seat, round, compare.phase(), true, compare.key(), passed);
            }
        } else {
            boolean stays = first.beats(duel.value()) && first.beats(compare.key());
            turn.round = round.with(heard(duel, compare, stays, stays ? first : duel.value()));
            if (stays) {
                say(seat, round, duel.phase() + 1, false, first, turn.passed());
            }
        }
    }

    /** Returns the state after {@code compare}, which determines the next message to accept. */
    private static Duel heard(Duel duel, RingMessage.Compare compare, boolean active, Key value) {
        return compare.second()
                ? new Duel(true, active, value, null, duel.phase() + 1)
                : new Duel(true, active, value, compare.key(), duel.phase());
    }

    private void found(Seat seat, Member winner, Passed passed) {
        RoundState round = turn.round;
        if (round != null && winner.equals(turn.me)) {
            turn.laps.win(round.began(), passed);
        } else if (round != null) {
            turn.sendOn(new RingMessage.Chosen(seat.view().id(), round.number(), winner, passed));
        }
    }

    private void chosen(Seat seat, Member from, RingMessage.Chosen chosen, RoundState round) {
        if (round.decided() || !seat.view().has(chosen.winner())) {
            turn.seating.drop(from, chosen, Why.REPEATED);
        } else {
            found(seat, chosen.winner(), chosen.passed());
        }
    }

    private void say(Seat seat, RoundState round, int phase, boolean second, Key key, Passed passed) {
        turn.sendOn(new RingMessage.Compare(seat.view().id(), round.number(), phase, second, key, passed));
    }
}
