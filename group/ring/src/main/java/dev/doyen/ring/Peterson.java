package dev.doyen.ring;

import dev.doyen.membership.Member;
import dev.doyen.ring.RingEffect.Why;
import dev.doyen.ring.RoundState.Duel;
import dev.doyen.ring.RoundState.Win;
import java.util.Optional;

/**
 * The algorithm of Peterson, 1982, and of Dolev, Klawe and Rodeh, 1982 (rule R4).
 *
 * <p>An active member represents a key, which is its own key at first. In each phase it receives the keys that the two
 * active members before it represent. The member stays active if the key of the nearer member is greater than both the
 * farther key and the key that the member represents. From then on, the member represents the nearer key. A member that
 * does not stay active only forwards messages. So at most half of the active members remain active after each phase. If
 * a member receives the key that it already represents, it is the only active member. This last active member notifies
 * the member to which the key belongs.
 *
 * <p>The messages that a member sends depend on the order of the messages that it has received. So a member accepts
 * each message of a link once and in order. A lost message ends the round without a winner.
 */
final class Peterson implements Algorithm {

    private final RingStepContext step;
    private final LeaderHeartbeats heartbeats;

    Peterson(RingStepContext step, LeaderHeartbeats heartbeats) {
        this.step = step;
        this.heartbeats = heartbeats;
    }

    @Override
    public RoundState.Contest begin(Key mine) {
        return new Duel(false, true, mine, null, 1);
    }

    @Override
    public void enter(RingPosition position, RoundState round) {
        Duel duel = (Duel) round.contest();
        if (!duel.begun()) {
            step.round = round.with(new Duel(true, duel.active(), duel.value(), duel.first(), duel.phase()));
            send(position, round, duel.phase(), false, duel.value(), step.passed());
        }
    }

    @Override
    public Optional<Win> received(RingPosition position, Member from, RingMessage.OfRound message) {
        RoundState round = step.round;
        if (round == null) {
            return Optional.empty();
        }
        if (message instanceof RingMessage.Chosen chosen) {
            return chosen(position, from, chosen, round);
        }
        if (message instanceof RingMessage.Compare compare) {
            enter(position, round);
            return compared(position, from, compare);
        }
        step.drop(from, message, Why.OTHER_ALGORITHM);
        return Optional.empty();
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

    private Optional<Win> compared(RingPosition position, Member from, RingMessage.Compare compare) {
        RoundState round = step.round;
        if (round == null) {
            return Optional.empty();
        }
        Duel duel = (Duel) round.contest();
        Key first = duel.first();
        boolean secondDue = first != null;
        if (compare.phase() != duel.phase() || compare.second() != secondDue) {
            boolean isLater = compare.phase() > duel.phase() || (compare.phase() == duel.phase() && compare.second());
            step.drop(from, compare, isLater ? Why.OUT_OF_ORDER : Why.REPEATED);
            return Optional.empty();
        }
        heartbeats.outrank(round, compare.key());
        Passed passed = compare.passed().and(step.passed());
        if (!duel.active()) {
            step.round = round.with(afterCompare(duel, compare, false, duel.value()));
            send(position, round, compare.phase(), compare.second(), compare.key(), passed);
        } else if (first == null) {
            boolean alone = compare.key().equals(duel.value());
            step.round = round.with(afterCompare(duel, compare, !alone, duel.value()));
            if (alone) {
                return found(position, duel.value().member(), passed);
            }
            send(position, round, compare.phase(), true, compare.key(), passed);
        } else {
            boolean stays = first.isGreaterThan(duel.value()) && first.isGreaterThan(compare.key());
            step.round = round.with(afterCompare(duel, compare, stays, stays ? first : duel.value()));
            if (stays) {
                send(position, round, duel.phase() + 1, false, first, step.passed());
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the state after the member has processed {@code compare}. This state expects the message that follows
     * {@code compare}.
     */
    private static Duel afterCompare(Duel duel, RingMessage.Compare compare, boolean active, Key value) {
        return compare.second()
                ? new Duel(true, active, value, null, duel.phase() + 1)
                : new Duel(true, active, value, compare.key(), duel.phase());
    }

    private Optional<Win> found(RingPosition position, Member winner, Passed passed) {
        RoundState round = step.round;
        if (round != null && winner.equals(step.me)) {
            return Optional.of(new Win(round.began(), passed));
        }
        if (round != null) {
            step.sendOn(new RingMessage.Chosen(position.view().id(), round.number(), winner, passed));
        }
        return Optional.empty();
    }

    private Optional<Win> chosen(RingPosition position, Member from, RingMessage.Chosen chosen, RoundState round) {
        if (round.decided() || !position.view().has(chosen.winner())) {
            step.drop(from, chosen, Why.REPEATED);
            return Optional.empty();
        }
        return found(position, chosen.winner(), chosen.passed());
    }

    private void send(RingPosition position, RoundState round, int phase, boolean second, Key key, Passed passed) {
        step.sendOn(new RingMessage.Compare(position.view().id(), round.number(), phase, second, key, passed));
    }
}
