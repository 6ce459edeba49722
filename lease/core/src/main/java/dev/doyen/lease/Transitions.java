package dev.doyen.lease;

import dev.doyen.lease.LeaseInput.Answered;
import dev.doyen.lease.LeaseInput.Campaign;
import dev.doyen.lease.LeaseInput.EligibilityChanged;
import dev.doyen.lease.LeaseInput.Leave;
import dev.doyen.lease.LeaseInput.ReadAnswered;
import dev.doyen.lease.LeaseInput.Resign;
import dev.doyen.lease.LeaseInput.Withdraw;
import dev.doyen.lease.LeaseInput.Woken;
import dev.doyen.lease.LeaseInput.WorkStopped;
import dev.doyen.lease.Role.Campaigning;
import dev.doyen.lease.Role.Gone;
import dev.doyen.lease.Role.Leading;
import dev.doyen.lease.Role.Observing;
import dev.doyen.lease.Role.Releasing;
import dev.doyen.lease.Role.Stopping;
import java.util.List;

/**
 * The table of all changes of a machine's role.
 *
 * <p>An entry contains the inputs on which the change can happen, and the rule that requires the change.
 * {@link StepContext#become} rejects a change that is not in the table. A change to the same role with other values is
 * always allowed. The input {@code Woken} stands for changes that do not depend on the input of the step. These changes
 * can happen in every step. A test compares this table with docs/spec/lease-transitions.md.
 */
final class Transitions {

    static final List<Transition> TABLE = List.of(
            new Transition(Observing.class, Campaigning.class, "L3", List.of(Campaign.class)),
            new Transition(Observing.class, Gone.class, "L9", List.of(Leave.class)),
            new Transition(Campaigning.class, Leading.class, "L1, L3", List.of(Answered.class)),
            new Transition(
                    Campaigning.class,
                    Releasing.class,
                    "L6, M6",
                    List.of(Answered.class, Woken.class, Withdraw.class, Leave.class)),
            new Transition(Campaigning.class, Observing.class, "L9", List.of(Withdraw.class)),
            new Transition(Campaigning.class, Gone.class, "L9", List.of(Leave.class)),
            new Transition(Leading.class, Stopping.class, "L4, L12", List.of(Woken.class)),
            new Transition(
                    Leading.class, Stopping.class, "L7, L12.5, M1, M4", List.of(Answered.class, ReadAnswered.class)),
            new Transition(Leading.class, Stopping.class, "L6, M2", List.of(Resign.class, Withdraw.class, Leave.class)),
            new Transition(Leading.class, Stopping.class, "M6", List.of(EligibilityChanged.class)),
            new Transition(Stopping.class, Releasing.class, "L6", List.of(WorkStopped.class)),
            new Transition(Stopping.class, Campaigning.class, "L6", List.of(WorkStopped.class)),
            new Transition(Stopping.class, Observing.class, "L6", List.of(WorkStopped.class)),
            new Transition(Stopping.class, Gone.class, "L6", List.of(WorkStopped.class)),
            new Transition(
                    Releasing.class, Campaigning.class, "L6", List.of(Answered.class, ReadAnswered.class, Woken.class)),
            new Transition(
                    Releasing.class, Observing.class, "L6", List.of(Answered.class, ReadAnswered.class, Woken.class)),
            new Transition(
                    Releasing.class, Gone.class, "L6", List.of(Answered.class, ReadAnswered.class, Woken.class)));

    private Transitions() {}

    /**
     * A change of the role.
     *
     * @param inputs the inputs on which the change can happen
     * @param rule the rules in docs/spec/lease.md that require the change
     */
    record Transition(
            Class<? extends Role> from,
            Class<? extends Role> to,
            String rule,
            List<Class<? extends LeaseInput>> inputs) {

        boolean allows(Role before, Class<? extends LeaseInput> input, Role after) {
            return from == before.getClass() && to == after.getClass() && inputs.contains(input);
        }
    }

    /**
     * Checks that the table allows a change.
     *
     * @throws IllegalStateException if the table does not contain the change
     */
    static void check(Role before, Class<? extends LeaseInput> input, Role after) {
        if (before.getClass() != after.getClass()
                && TABLE.stream().noneMatch(each -> each.allows(before, input, after))) {
            throw new IllegalStateException("the role cannot change from "
                    + before.getClass().getSimpleName() + " to "
                    + after.getClass().getSimpleName() + " on "
                    + input.getSimpleName());
        }
    }
}
