package dev.doyen.ring;

import dev.doyen.mutants.Mutant;
import java.util.List;

/**
 * The mutants of the ring machine: each breaks a rule, and the simulated worlds must notice it.
 *
 * <p>R5, R10, H2 and H3 only make an election faster. No promise depends on them, so they have step tests instead.
 */
final class RingMutants {

    private RingMutants() {}

    /** Mutants of the rules of saved state. */
    static final List<Mutant> STATES = List.of(
            Mutant.of(
                    "T1",
                    "the leader saves a state under the number of an earlier one",
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
                    "return other.id.isAfter(id) ? other : this;\n    }\n\n    /** The same state",
                    "return other;\n    }\n\n    /** The same state"),
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
                    "members that join a view are not sent the state",
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
                    "a key does not learn which member has a newer state",
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

    /** Mutants that need worlds of each order. */
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
                    "the highest id is preferred where the lowest is set",
                    1,
                    "Key.java",
                    "case LOWEST_ID -> second.compareTo(first);",
                    "case LOWEST_ID -> first.compareTo(second);"),
            Mutant.of(
                    "R4",
                    "the lowest id is preferred where the highest is set",
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

    /** All other mutants. */
    static final List<Mutant> ROUNDS = List.of(
            Mutant.of(
                    "R9",
                    "the table of transitions has no leader that stops on an Elect",
                    1,
                    "RingTransitions.java",
                    "row(LEADING, ELECTING, \"R9\", List.of(Elect.class, Compare.class, Nack.class))",
                    "row(LEADING, ELECTING, \"R9\", List.of(Compare.class, Nack.class))"),
            Mutant.of(
                    "T4",
                    "the table of transitions has no winner that waits for the state",
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
                    "a frozen follower may be silent for as long as a leader leads",
                    1,
                    "RingTiming.java",
                    "leaderLease.minus(heartbeatInterval).minus(leaderLease.dividedBy(10))",
                    "leaderLease"),
            Mutant.of(
                    "R13",
                    "the last heartbeat is taken to have been sent just before the silence",
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
                    "a leader does not stop when its time is up",
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
                    "a member leads after it has withdrawn",
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
                    "a past round is entered again",
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
                    "the winner takes a term that it has seen",
                    1,
                    "LeaderHeartbeats.java",
                    "Term term = step.seen.next(step.me);",
                    "Term term = step.seen.counter() == 0 ? step.seen.next(step.me) : new Term(step.seen.counter(), step.me);"),
            Mutant.of(
                    "R7",
                    "no member gives up a round",
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
