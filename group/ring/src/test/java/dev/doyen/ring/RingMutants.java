package dev.doyen.ring;

import dev.doyen.mutants.Mutant;
import java.util.List;

/**
 * The mutants of the ring machine. Each mutant breaks a rule, and the simulations of {@link RingWorld} must detect the
 * mutant.
 *
 * <p>R5, R10, H2 and H3 only make an election faster. No guarantee of the specification depends on these rules. So step
 * tests, and no mutants, cover these rules.
 */
final class RingMutants {

    private RingMutants() {}

    /** The mutants of the rules for the saved state. */
    static final List<Mutant> STATES = List.of(
            Mutant.of(
                    "T1",
                    "the leader saves a state under the number of an earlier state",
                    1,
                    "StateTransfer.java",
                    "version <= step.saved.id().version()",
                    "version < 0",
                    "StateTransfer.java",
                    "new VersionedState.Id(leaderState.term(), version)",
                    "new VersionedState.Id(leaderState.term(), Math.max(1, version - 1))"),
            Mutant.of(
                    "T2",
                    "a member ignores the state in a heartbeat",
                    1,
                    "StateTransfer.java",
                    "heartbeat.saved().ifPresent(saved -> step.saved = step.saved.orNewer(saved));",
                    ""),
            Mutant.of(
                    "T2",
                    "a member keeps the last state instead of the newest",
                    1,
                    "VersionedState.java",
                    "VersionedState orNewer(VersionedState other) {\n        return other.id.isAfter(id) ? other : this;",
                    "VersionedState orNewer(VersionedState other) {\n        return other;"),
            Mutant.of(
                    "T3",
                    "a save is confirmed when it is sent",
                    1,
                    "StateTransfer.java",
                    "        step.leaderState = leaderState.withUnconfirmedState();\n",
                    "        step.leaderState = leaderState.withUnconfirmedState();\n        step.effect(new RingEffect.Saved(version));\n"),
            Mutant.of(
                    "T3",
                    "any heartbeat that returns confirms the last save",
                    1,
                    "LeaderHeartbeats.java",
                    "if (heartbeat.saved().isPresent()\n                        && states.returned(heartbeat.saved().get().id())) {",
                    "if (states.returned(step.saved.id())) {"),
            Mutant.of(
                    "T3",
                    "an earlier state that returns confirms the last save",
                    1,
                    "LeaderHeartbeats.java",
                    "states.returned(heartbeat.saved().get().id())",
                    "states.returned(step.saved.id())"),
            Mutant.of(
                    "T3",
                    "members that join a view do not receive the state",
                    1,
                    "LeaderState.java",
                    "sent.after(sent.sequence()), false, true)",
                    "sent.after(sent.sequence()), false, sendsState)"),
            Mutant.of(
                    "T4",
                    "the winner leads without the newest state",
                    1,
                    "Rounds.java",
                    "step.leaderState == null && states.awaits(round, win)",
                    "step.gone && states.awaits(round, win)"),
            Mutant.of(
                    "T4",
                    "a key does not record which member has a newer state",
                    1,
                    "Passed.java",
                    "newest.orNewer(other.newest)",
                    "newest"),
            Mutant.of(
                    "T5",
                    "a state stays in the term in which it was saved",
                    1,
                    "LeaderHeartbeats.java",
                    "            step.saved = step.saved.beginning(term);\n",
                    ""));

    /** The mutants of the comparison of keys. They run in worlds with each {@code RingOrder}. */
    static final List<Mutant> ORDERS = List.of(
            Mutant.of(
                    "R4",
                    "the youngest is preferred to the oldest",
                    1,
                    "Key.java",
                    "Long.compare(other.joined(), one.joined())",
                    "Long.compare(one.joined(), other.joined())"),
            Mutant.of(
                    "R4",
                    "the highest id is preferred although the order is lowest_id",
                    1,
                    "Key.java",
                    "case LOWEST_ID -> second.compareTo(first);",
                    "case LOWEST_ID -> first.compareTo(second);"),
            Mutant.of(
                    "R4",
                    "the lowest id is preferred although the order is highest_id",
                    1,
                    "Key.java",
                    "case HIGHEST_ID -> first.compareTo(second);",
                    "case HIGHEST_ID -> second.compareTo(first);"),
            Mutant.of(
                    "R4",
                    "the order comes before the priority",
                    1,
                    "Key.java",
                    "            .thenComparingInt(Key::priority)\n",
                    "",
                    "Key.java",
                    ".thenComparing(Key::compareByOrder);",
                    ".thenComparing(Key::compareByOrder).thenComparingInt(Key::priority);"));

    /** All other mutants of the machine. */
    static final List<Mutant> ROUNDS = List.of(
            Mutant.of(
                    "R9",
                    "the table of transitions does not let a leader stop on an Elect",
                    1,
                    "RingTransitions.java",
                    "row(LEADING, ELECTING, \"R9\", List.of(Elect.class, Compare.class, Nack.class))",
                    "row(LEADING, ELECTING, \"R9\", List.of(Compare.class, Nack.class))"),
            Mutant.of(
                    "T4",
                    "the table of transitions does not let a winner wait for the state",
                    1,
                    "RingTransitions.java",
                    "            row(ELECTING, AWAITING_STATE, \"T4\", CONTEST),\n",
                    ""),
            Mutant.of(
                    "R1",
                    "each member skips its neighbour",
                    1,
                    "RingPosition.java",
                    "view.before(me), view.after(me)",
                    "view.before(view.before(me)), view.after(view.after(me))"),
            Mutant.of(
                    "R3",
                    "an early message is dropped",
                    1,
                    "ViewChanges.java",
                    "            hold(from, message);",
                    "            step.drop(from, message, Why.NOT_KEPT);"),
            Mutant.of(
                    "R13",
                    "a frozen follower may be silent for the whole leader lease",
                    1,
                    "RingTiming.java",
                    "leaderLease.minus(heartbeatInterval).minus(leaderLease.dividedBy(10))",
                    "leaderLease"),
            Mutant.of(
                    "R13",
                    "the calculation assumes a heartbeat just before the silence",
                    1,
                    "RingTiming.java",
                    "leaderLease.minus(heartbeatInterval).minus(leaderLease.dividedBy(10))",
                    "leaderLease.minus(leaderLease.dividedBy(10))"),
            Mutant.of(
                    "R13",
                    "a leader is not confirmed by the round of a new view",
                    1,
                    "Rounds.java",
                    "if (round == null) {\n            return;\n        }\n        if (!round.mine().campaigns()) {",
                    "if (round == null) {\n            return;\n        }\n        if (step.leaderState != null || !round.mine().campaigns()) {"),
            Mutant.of(
                    "R8",
                    "a leader does not stop at its deadline",
                    1,
                    "RingMachine.java",
                    "rules.enforceDeadline();",
                    ""),
            Mutant.of(
                    "R11",
                    "messages of a link are processed out of order",
                    225,
                    "Peterson.java",
                    "compare.phase() != duel.phase() || compare.second() != secondDue",
                    "compare.second() != secondDue"),
            Mutant.of(
                    "R12",
                    "a member leads after its withdrawal",
                    1,
                    "Rounds.java",
                    "if (!step.campaigns()) {",
                    "if (step.gone) {"),
            Mutant.of(
                    "R12",
                    "a member leads after it has resigned",
                    1,
                    "Rounds.java",
                    "if (!step.campaigns()) {",
                    "if (!step.willing) {"),
            Mutant.of(
                    "R2",
                    "a member enters a past round again",
                    1,
                    "Rounds.java",
                    "round == null || message.round() < round.number()",
                    "round == null",
                    "Rounds.java",
                    "message.round() > round.number()",
                    "message.round() != round.number()"),
            Mutant.of(
                    "R4",
                    "a lesser key is forwarded",
                    1,
                    "ChangRoberts.java",
                    "} else if (elect.key().isGreaterThan(round.mine())) {",
                    "} else if (!elect.key().equals(round.mine())) {",
                    "ChangRoberts.java",
                    "if (best != null && best.isGreaterThan(elect.key())) {",
                    "if (best == null && step.gone) {"),
            Mutant.of(
                    "R4",
                    "any key that returns in Peterson wins",
                    1,
                    "Peterson.java",
                    "boolean alone = compare.key().equals(duel.value());",
                    "boolean alone = !compare.key().isGreaterThan(duel.value());"),
            Mutant.of(
                    "R6",
                    "the winner uses a term that it has already seen",
                    1,
                    "LeaderHeartbeats.java",
                    "Term term = step.seen.next(step.me);",
                    "Term term = step.seen.counter() == 0 ? step.seen.next(step.me) : new Term(step.seen.counter(), step.me);"),
            Mutant.of(
                    "R7",
                    "no member abandons a round",
                    1,
                    "Rounds.java",
                    "step.vainRounds = Math.min(step.vainRounds + 1, MAX_DOUBLINGS);\n            openNext();",
                    "step.round = round.givingUpAt(round.giveUpAtNanos() + 60_000_000_000L);"),
            Mutant.of(
                    "R9",
                    "a leader forwards a greater key before it has stopped",
                    1,
                    "LeaderHeartbeats.java",
                    "if (key.isGreaterThan(round.mine())) {",
                    "if (step.gone) {"),
            Mutant.of(
                    "H1",
                    "the successor leads without an election",
                    1000,
                    "Succession.java",
                    "rounds.begin();",
                    "rounds.win(new RoundState.Win(step.now, step.passed()));"));
}
