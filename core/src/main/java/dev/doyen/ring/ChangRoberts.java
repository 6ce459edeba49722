package dev.doyen.ring;

import dev.doyen.membership.Member;
import dev.doyen.ring.Ballot.Race;
import dev.doyen.ring.RingEffect.Why;

/**
 * Chang and Roberts: a key travels until it meets a greater one; the one that comes home has won (rule R4). Every other
 * step of it may happen twice, so a key that was lost is simply sent again (rule R5).
 */
final class ChangRoberts implements Algorithm {

    private final RingTurn turn;

    ChangRoberts(RingTurn turn) {
        this.turn = turn;
    }

    @Override
    public Ballot.Contest begin(Key mine) {
        return new Race(null, 0, 0, turn.now, 0);
    }

    @Override
    public void enter(Seat seat, Ballot ballot) {
        Race race = (Race) ballot.contest();
        if (race.attempts() == 0 && !isOutdone(ballot, race)) {
            send(seat, ballot, race);
        }
    }

    @Override
    public void received(Seat seat, Member from, RingMessage.OfRound message) {
        Ballot ballot = turn.ballot;
        if (!(message instanceof RingMessage.Elect elect)) {
            turn.seating.drop(from, message, Why.OTHER_ALGORITHM);
        } else if (ballot != null) {
            Race race = (Race) ballot.contest();
            if (elect.key().member().equals(turn.me)) {
                home(from, elect, ballot, race);
            } else if (elect.key().beats(ballot.mine())) {
                pass(from, elect, ballot, race);
            } else if (!ballot.decided()) {
                enter(seat, ballot);
            }
        }
    }

    @Override
    public boolean retries(Ballot ballot) {
        Race race = (Race) ballot.contest();
        return !ballot.decided() && race.attempts() > 0 && !isOutdone(ballot, race);
    }

    @Override
    public long retryAtNanos(Ballot ballot) {
        return ((Race) ballot.contest()).retryAtNanos();
    }

    @Override
    public void retry(Ballot ballot) {
        if (turn.seat != null) {
            send(turn.seat, ballot, (Race) ballot.contest());
        }
    }

    private void home(Member from, RingMessage.Elect elect, Ballot ballot, Race race) {
        if (ballot.decided() || !elect.key().equals(ballot.mine())) {
            turn.seating.drop(from, elect, Why.REPEATED);
        } else {
            // Of an earlier attempt it is not known any more when it was sent, but it was not before the round.
            turn.laps.win(elect.attempt() == race.attempts() ? race.sentAt() : ballot.began(), elect.seen());
        }
    }

    private void pass(Member from, RingMessage.Elect elect, Ballot ballot, Race race) {
        Key best = race.best();
        turn.laps.outrank(ballot, elect.key());
        if (best != null && best.beats(elect.key())) {
            return;
        }
        if (elect.key().equals(best) && elect.attempt() <= race.bestAttempt()) {
            turn.seating.drop(from, elect, Why.REPEATED);
            return;
        }
        turn.ballot = ballot.with(
                new Race(elect.key(), elect.attempt(), race.attempts(), race.sentAt(), race.retryAtNanos()));
        turn.sendOn(new RingMessage.Elect(
                elect.view(),
                elect.round(),
                elect.key(),
                elect.attempt(),
                elect.seen().orLater(turn.seen)));
    }

    private void send(Seat seat, Ballot ballot, Race race) {
        int attempt = race.attempts() + 1;
        long follow = turn.timing.follow().toNanos();
        long pause = RingTurn.doubled(turn.timing.retry().toNanos(), attempt - 1, follow);
        turn.ballot = ballot.with(new Race(ballot.mine(), attempt, attempt, turn.now, turn.now.nanos() + pause));
        turn.sendOn(new RingMessage.Elect(seat.view().id(), ballot.round(), ballot.mine(), attempt, turn.seen));
    }

    private static boolean isOutdone(Ballot ballot, Race race) {
        Key best = race.best();
        return best != null && best.beats(ballot.mine());
    }
}
