package dev.doyen.ring;

import dev.doyen.membership.Member;
import dev.doyen.ring.RingEffect.Why;
import dev.doyen.ring.RoundState.Race;
import dev.doyen.ring.RoundState.Win;
import java.util.Optional;

/**
 * The algorithm of Chang and Roberts, 1979 (rule R4).
 *
 * <p>A member forwards a greater key and drops a lesser key. A member whose own key returns has won. A key that arrives
 * again does not change the winner. So a member may repeat a key that is possibly lost (rule R5).
 */
final class ChangRoberts implements Algorithm {

    private final RingStepContext step;
    private final LeaderHeartbeats heartbeats;

    ChangRoberts(RingStepContext step, LeaderHeartbeats heartbeats) {
        this.step = step;
        this.heartbeats = heartbeats;
    }

    @Override
    public RoundState.Contest begin(Key mine) {
        return new Race(null, 0, 0, step.now, 0);
    }

    @Override
    public void enter(RingPosition position, RoundState round) {
        Race race = (Race) round.contest();
        if (race.attempts() == 0 && !isOutdone(round, race)) {
            send(position, round, race);
        }
    }

    @Override
    public Optional<Win> received(RingPosition position, Member from, RingMessage.OfRound message) {
        RoundState round = step.round;
        if (!(message instanceof RingMessage.Elect elect)) {
            step.drop(from, message, Why.OTHER_ALGORITHM);
        } else if (round != null) {
            Race race = (Race) round.contest();
            if (elect.key().member().equals(step.me)) {
                return home(from, elect, round, race);
            } else if (elect.key().isGreaterThan(round.mine())) {
                pass(from, elect, round, race);
            } else if (!round.decided()) {
                enter(position, round);
            }
        }
        return Optional.empty();
    }

    @Override
    public boolean retries(RoundState round) {
        Race race = (Race) round.contest();
        return !round.decided() && race.attempts() > 0 && !isOutdone(round, race);
    }

    @Override
    public long retryAtNanos(RoundState round) {
        return ((Race) round.contest()).retryAtNanos();
    }

    @Override
    public void retry(RoundState round) {
        if (step.position != null) {
            send(step.position, round, (Race) round.contest());
        }
    }

    private Optional<Win> home(Member from, RingMessage.Elect elect, RoundState round, Race race) {
        if (round.decided() || !elect.key().equals(round.mine())) {
            step.drop(from, elect, Why.REPEATED);
            return Optional.empty();
        }
        // The member stores only the send time of its last attempt. For an earlier attempt it uses the start of the
        // round, because it sent every attempt after that start.
        return Optional.of(new Win(elect.attempt() == race.attempts() ? race.sentAt() : round.began(), elect.passed()));
    }

    private void pass(Member from, RingMessage.Elect elect, RoundState round, Race race) {
        Key best = race.best();
        heartbeats.outrank(round, elect.key());
        if (best != null && best.isGreaterThan(elect.key())) {
            return;
        }
        if (elect.key().equals(best) && elect.attempt() <= race.bestAttempt()) {
            step.drop(from, elect, Why.REPEATED);
            return;
        }
        step.round =
                round.with(new Race(elect.key(), elect.attempt(), race.attempts(), race.sentAt(), race.retryAtNanos()));
        step.sendOn(new RingMessage.Elect(
                elect.view(),
                elect.round(),
                elect.key(),
                elect.attempt(),
                elect.passed().and(step.passed())));
    }

    private void send(RingPosition position, RoundState round, Race race) {
        int attempt = race.attempts() + 1;
        long electionTimeout = step.timing.electionTimeout().toNanos();
        long pause = RingStepContext.doubled(step.timing.retry().toNanos(), attempt - 1, electionTimeout);
        step.round = round.with(new Race(round.mine(), attempt, attempt, step.now, step.now.nanos() + pause));
        step.sendOn(new RingMessage.Elect(position.view().id(), round.number(), round.mine(), attempt, step.passed()));
    }

    private static boolean isOutdone(RoundState round, Race race) {
        Key best = race.best();
        return best != null && best.isGreaterThan(round.mine());
    }
}
