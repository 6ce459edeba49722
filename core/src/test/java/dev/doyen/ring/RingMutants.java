package dev.doyen.ring;

import dev.doyen.mutants.Mutant;
import java.util.List;

/**
 * Each rule of docs/spec/ring.md that the simulated worlds can show to be broken, broken. No promise depends on R5, R10, Q9, H2
 * and H3, nor on Q7's asking again: they only make things faster, and Q1 refuses settings: these have step tests.
 */
final class RingMutants {

    private RingMutants() {}

    /** Hunted in worlds with voters. */
    static final List<Mutant> QUORUM = List.of(
            Mutant.of(
                    "Q2",
                    "who leads goes on where too few voters are",
                    1,
                    "Bids.java",
                    "turn.laps.stepDown(LossCause.NO_QUORUM);",
                    ""),
            Mutant.of(
                    "Q8",
                    "a leader does not stop when its time is up",
                    1,
                    "RingMachine.java",
                    "turn.laps.enforceDeadline();",
                    ""),
            Mutant.of(
                    "Q3",
                    "a number is granted to two, and who asks does not know which are taken",
                    1,
                    "RingTurn.java",
                    "electorate != null && term.counter() == known.counter()",
                    "gone && term.counter() == known.counter()",
                    "Voting.java",
                    "term.counter() > vote.promised().counter()",
                    "term.counter() >= vote.promised().counter()",
                    "Laps.java",
                    "        turn.learn(circle);\n",
                    ""),
            Mutant.of(
                    "Q4",
                    "a promise that could not be kept counts as kept",
                    130,
                    "Vote.java",
                    "isKept ? promised : kept",
                    "promised"),
            Mutant.of(
                    "Q4",
                    "it is granted before it is kept",
                    40,
                    "Voting.java",
                    "turn.vote = vote.promising(term, lap);",
                    "turn.vote = vote.promising(term, lap).notWaiting();\n            go(lap.grantedBy(ownBit()));"),
            Mutant.of(
                    "Q4",
                    "what was kept is not read",
                    1,
                    "RingMachine.java",
                    "Vote.begin(kept,",
                    "Vote.begin(Term.NONE,"),
            Mutant.of(
                    "Q5",
                    "who has just begun votes at once",
                    1510,
                    "RingMachine.java",
                    "now.nanos() + settings.timing().hold().toNanos()",
                    "now.nanos()"),
            Mutant.of(
                    "Q5",
                    "a vote is held for lead only, as if all clocks ran alike",
                    260,
                    "RingTiming.java",
                    "lead.plus(lead.dividedBy(10)).plusNanos(1)",
                    "lead"),
            Mutant.of(
                    "Q5",
                    "a vote is not held at all",
                    1,
                    "Voting.java",
                    "turn.isDue(vote.waitsUntilNanos()) && turn.isDue(vote.boundUntilNanos())",
                    "turn.isDue(vote.waitsUntilNanos())"),
            Mutant.of(
                    "Q6",
                    "one vote less is enough",
                    1,
                    "Electorate.java",
                    ">= quorum()",
                    ">= Math.max(1, quorum() - 1)"),
            Mutant.of(
                    "Q6",
                    "any lap that comes home elects",
                    1,
                    "Bids.java",
                    "boolean isGranted = electorate.isQuorum(lap.grants());",
                    "boolean isGranted = electorate.isQuorum(lap.grants()) || reign == null;"),
            Mutant.of(
                    "Q8",
                    "a confirmed lap counts from its return",
                    280,
                    "Bids.java",
                    "isGranted ? reign.returned(lap.sequence())",
                    "isGranted ? reign.returned(lap.sequence()).confirmedAgain(turn.now)"),
            Mutant.of(
                    "Q8",
                    "the first lap counts from its return",
                    1,
                    "Bids.java",
                    "begin(bid, bid.returned(lap.sequence()))",
                    "begin(bid, bid.returned(lap.sequence()).confirmedAgain(turn.now))"),
            Mutant.of(
                    "Q8",
                    "a leader leads for longer than it may",
                    1,
                    "Reign.java",
                    "lead.toNanos() - now.nanosSince(confirmedAt);",
                    "2 * lead.toNanos() - now.nanosSince(confirmedAt);",
                    "Reign.java",
                    "lead.toNanos() - now.wallMillisSince(confirmedAt)",
                    "2 * lead.toNanos() - now.wallMillisSince(confirmedAt)"),
            Mutant.of(
                    "Q8",
                    "a suspended leader does not look at the wall clock",
                    80,
                    "Reign.java",
                    "Math.max(0, Math.min(monotonic, wall))",
                    "Math.max(wall < -86_400_000_000_000L ? 1 : 0, monotonic)"));

    /** Hunted in worlds without voters, in each order. */
    static final List<Mutant> ORDERS = List.of(
            Mutant.of(
                    "R4",
                    "the youngest is preferred to the oldest",
                    1,
                    "RingOrder.java",
                    "Long.compare(other.joined(), one.joined())",
                    "Long.compare(one.joined(), other.joined())"),
            Mutant.of(
                    "R4",
                    "the highest id is preferred where the lowest is set",
                    1,
                    "RingOrder.java",
                    "case LOWEST_ID -> second.compareTo(first);",
                    "case LOWEST_ID -> first.compareTo(second);"),
            Mutant.of(
                    "R4",
                    "the lowest id is preferred where the highest is set",
                    1,
                    "RingOrder.java",
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
                    ".thenComparing((one, other) -> one.order().compare(one, other));",
                    ".thenComparing((one, other) -> one.order().compare(one, other)).thenComparingInt(Key::priority);"));

    /** Hunted in worlds without. */
    static final List<Mutant> ROUNDS = List.of(
            Mutant.of(
                    "R1",
                    "each hears and tells the next but one",
                    1,
                    "Seat.java",
                    "view.before(me), view.after(me)",
                    "view.before(view.before(me)), view.after(view.after(me))"),
            Mutant.of(
                    "R3",
                    "what is early is dropped",
                    1,
                    "Seating.java",
                    "            hold(from, message);",
                    "            drop(from, message, Why.NOT_KEPT);"),
            Mutant.of(
                    "R13",
                    "a frozen follower may be silent for as long as a leader leads",
                    1,
                    "RingTiming.java",
                    "lead.minus(beat).minus(lead.dividedBy(10))",
                    "lead"),
            Mutant.of(
                    "R13",
                    "the last lap is taken to have been sent just before the silence",
                    1,
                    "RingTiming.java",
                    "lead.minus(beat).minus(lead.dividedBy(10))",
                    "lead.minus(lead.dividedBy(10))"),
            Mutant.of(
                    "R13",
                    "a leader is not confirmed by the round of a new view",
                    1,
                    "Laps.java",
                    "if (ballot == null) {\n            return;\n        }\n        if (!ballot.mine().stands()) {",
                    "if (ballot == null) {\n            return;\n        }\n        if (turn.reign != null || !ballot.mine().stands()) {"),
            Mutant.of(
                    "R8",
                    "a leader does not stop when its time is up",
                    1,
                    "RingMachine.java",
                    "turn.laps.enforceDeadline();",
                    ""),
            Mutant.of(
                    "R11",
                    "messages of a link are taken out of their order",
                    225,
                    "Peterson.java",
                    "compare.phase() != duel.phase() || compare.second() != secondDue",
                    "compare.second() != secondDue"),
            Mutant.of(
                    "R12",
                    "who has stood back meanwhile leads",
                    1,
                    "Laps.java",
                    "if (!turn.stands()) {",
                    "if (turn.gone) {"),
            Mutant.of(
                    "R12",
                    "who has resigned meanwhile leads",
                    1,
                    "Laps.java",
                    "if (!turn.stands()) {",
                    "if (!turn.willing) {"),
            Mutant.of(
                    "R2",
                    "a past round is entered again",
                    1,
                    "Rounds.java",
                    "ballot == null || message.round() < ballot.round()",
                    "ballot == null",
                    "Rounds.java",
                    "message.round() > ballot.round()",
                    "message.round() != ballot.round()"),
            Mutant.of(
                    "R4",
                    "a lesser key is passed on",
                    1,
                    "ChangRoberts.java",
                    "} else if (elect.key().beats(ballot.mine())) {",
                    "} else if (!elect.key().equals(ballot.mine())) {",
                    "ChangRoberts.java",
                    "if (best != null && best.beats(elect.key())) {",
                    "if (best == null && turn.gone) {"),
            Mutant.of(
                    "R4",
                    "any key that comes home in Peterson's contest has won",
                    1,
                    "Peterson.java",
                    "boolean alone = compare.key().equals(duel.value());",
                    "boolean alone = !compare.key().beats(duel.value());"),
            Mutant.of(
                    "R6",
                    "the winner takes a term it has seen",
                    1,
                    "Laps.java",
                    "Term term = turn.seen.next(turn.me);",
                    "Term term = turn.seen.counter() == 0 ? turn.seen.next(turn.me) : new Term(turn.seen.counter(), turn.me);"),
            Mutant.of(
                    "R7",
                    "nobody gives a round up",
                    1,
                    "Rounds.java",
                    "turn.vainRounds = Math.min(turn.vainRounds + 1, MAX_DOUBLINGS);\n            openNext();",
                    "turn.ballot = ballot.givingUpAt(ballot.giveUpAtNanos() + 60_000_000_000L);"),
            Mutant.of(
                    "R9",
                    "a leader passes a greater key on before it has stopped",
                    1,
                    "Laps.java",
                    "if (key.beats(ballot.mine())) {",
                    "if (turn.gone) {"),
            Mutant.of(
                    "H1",
                    "the heir leads without an election",
                    1000,
                    "Succession.java",
                    "turn.rounds.begin();",
                    "turn.laps.win(turn.now, turn.seen);"));
}
