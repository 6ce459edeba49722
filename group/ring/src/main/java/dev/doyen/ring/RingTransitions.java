package dev.doyen.ring;

import static dev.doyen.ring.RingPhase.AWAITING_STATE;
import static dev.doyen.ring.RingPhase.ELECTING;
import static dev.doyen.ring.RingPhase.FOLLOWING;
import static dev.doyen.ring.RingPhase.GONE;
import static dev.doyen.ring.RingPhase.LEADERLESS;
import static dev.doyen.ring.RingPhase.LEADING;
import static dev.doyen.ring.RingPhase.OUTSIDE;

import dev.doyen.ring.RingInput.Campaign;
import dev.doyen.ring.RingInput.HandOver;
import dev.doyen.ring.RingInput.Installed;
import dev.doyen.ring.RingInput.Leave;
import dev.doyen.ring.RingInput.Resign;
import dev.doyen.ring.RingInput.Withdraw;
import dev.doyen.ring.RingInput.Woken;
import dev.doyen.ring.RingMessage.Chosen;
import dev.doyen.ring.RingMessage.Compare;
import dev.doyen.ring.RingMessage.Elect;
import dev.doyen.ring.RingMessage.Elected;
import dev.doyen.ring.RingMessage.Heartbeat;
import dev.doyen.ring.RingMessage.Nack;
import dev.doyen.ring.RingMessage.StateResponse;
import dev.doyen.ring.RingMessage.Yield;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The table of a member's phase changes, with the inputs and rules of each change.
 *
 * <p>{@link RingMachine} rejects any other change. For a received message, the table contains the class of the message.
 * {@code Woken} means that a timer has expired. The machine also checks before each input whether the leader lease has
 * expired. The table contains the resulting change under {@code Woken}. A test compares this table with
 * docs/spec/ring-transitions.md.
 */
final class RingTransitions {

    private static final List<Class<?>> CONTEST = List.of(Elect.class, Compare.class, Chosen.class);
    private static final List<Class<?>> LEADER = List.of(Elected.class, Heartbeat.class);

    static final List<Transition> TABLE = List.of(
            // Views. The step that installs a view also processes the stored messages of that view.
            row(OUTSIDE, ELECTING, "R2", Installed.class),
            row(FOLLOWING, ELECTING, "R2", Installed.class),
            row(LEADERLESS, ELECTING, "R2", Installed.class),
            row(AWAITING_STATE, ELECTING, "R2", Installed.class),
            row(Set.of(OUTSIDE, ELECTING, AWAITING_STATE, LEADERLESS, LEADING), FOLLOWING, "R3, R9", Installed.class),
            row(LEADING, ELECTING, "R3, R9", Installed.class),
            row(Set.of(OUTSIDE, ELECTING, AWAITING_STATE, FOLLOWING, LEADERLESS), LEADING, "R10", Installed.class),
            row(Set.of(OUTSIDE, ELECTING, AWAITING_STATE, FOLLOWING), LEADERLESS, "R10, R12", Installed.class),
            row(Set.of(ELECTING, AWAITING_STATE, LEADING, FOLLOWING, LEADERLESS), OUTSIDE, "R2", Installed.class),
            // Rounds.
            row(Set.of(AWAITING_STATE, FOLLOWING, LEADERLESS), ELECTING, "R2", CONTEST),
            row(Set.of(AWAITING_STATE, FOLLOWING, LEADERLESS), ELECTING, "R2, R11", LEADER),
            row(ELECTING, LEADING, "R4, R6", CONTEST),
            row(ELECTING, AWAITING_STATE, "T4", CONTEST),
            row(ELECTING, LEADERLESS, "R12", CONTEST),
            row(ELECTING, FOLLOWING, "R12", CONTEST),
            row(AWAITING_STATE, LEADING, "T4, R6", List.of(Elect.class, StateResponse.class)),
            row(AWAITING_STATE, ELECTING, "R12", StateResponse.class),
            row(Set.of(ELECTING, AWAITING_STATE, LEADERLESS), FOLLOWING, "R7", LEADER),
            // A leader stops.
            row(LEADING, ELECTING, "R7, R8", Woken.class),
            row(LEADING, ELECTING, "R9", List.of(Elect.class, Compare.class, Nack.class)),
            row(LEADING, LEADERLESS, "R9", List.of(Elect.class, Compare.class, Nack.class)),
            row(LEADING, FOLLOWING, "R9", LEADER),
            row(LEADING, AWAITING_STATE, "R9, T4", CONTEST),
            row(LEADING, ELECTING, "R12", List.of(Resign.class, Withdraw.class)),
            row(LEADING, LEADERLESS, "R10, R12", List.of(Resign.class, Withdraw.class)),
            row(LEADING, LEADERLESS, "H1", HandOver.class),
            row(LEADING, ELECTING, "H1", HandOver.class),
            // Nobody leads.
            row(FOLLOWING, LEADERLESS, "R7", Woken.class),
            row(FOLLOWING, LEADERLESS, "H1, R11", Yield.class),
            row(Set.of(FOLLOWING, LEADERLESS, AWAITING_STATE), ELECTING, "H1", Yield.class),
            row(Set.of(FOLLOWING, LEADERLESS, AWAITING_STATE), ELECTING, "R5, R7", Woken.class),
            row(LEADERLESS, LEADING, "R10, R12", List.of(Woken.class, Campaign.class)),
            row(LEADERLESS, ELECTING, "R12", Campaign.class),
            row(EnumSet.complementOf(EnumSet.of(GONE)), GONE, "R12", Leave.class));

    private RingTransitions() {}

    /**
     * A change of the phase.
     *
     * @param inputs the classes of the inputs and messages on which the change may happen
     * @param rule the rules in docs/spec/ring.md that require the change
     */
    record Transition(Set<RingPhase> from, RingPhase to, String rule, List<Class<?>> inputs) {

        boolean allows(RingPhase before, Class<?> input, RingPhase after) {
            return from.contains(before) && to == after && inputs.contains(input);
        }
    }

    /**
     * Checks that the table allows a change.
     *
     * @param input the class of the input, or the class of the message that the input contains
     * @throws IllegalStateException if the table does not contain the change
     */
    static void check(RingPhase before, Class<?> input, RingPhase after) {
        if (before != after && TABLE.stream().noneMatch(each -> each.allows(before, input, after))) {
            throw new IllegalStateException(
                    "the phase cannot change from " + before + " to " + after + " on " + input.getSimpleName());
        }
    }

    private static Transition row(RingPhase from, RingPhase to, String rule, Class<?> input) {
        return row(Set.of(from), to, rule, List.of(input));
    }

    private static Transition row(RingPhase from, RingPhase to, String rule, List<Class<?>> inputs) {
        return row(Set.of(from), to, rule, inputs);
    }

    private static Transition row(Set<RingPhase> from, RingPhase to, String rule, Class<?> input) {
        return row(from, to, rule, List.of(input));
    }

    private static Transition row(Set<RingPhase> from, RingPhase to, String rule, List<Class<?>> inputs) {
        return new Transition(from, to, rule, inputs);
    }
}
