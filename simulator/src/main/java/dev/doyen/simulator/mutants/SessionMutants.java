package dev.doyen.simulator.mutants;

import dev.doyen.mutants.Edit;
import dev.doyen.mutants.Mutant;
import java.util.List;

/** Rule L12 broken, and the rules it leans on; hunted in the world of sessions. */
public final class SessionMutants {

    private SessionMutants() {}

    public static final List<Mutant> ALL = List.of(
            Mutant.of(
                    "L12",
                    "a lease is taken from a silent session without fencing it",
                    "Sight.java",
                    ".filter(seen -> seen.hasEnded(session.epoch()))\n                .map(seen -> OptionalLong.of(later(seenAtNanos, seen.running() ? seenAtNanos : seen.freeAtNanos())))",
                    ".map(seen -> OptionalLong.of(seen.hasEnded(session.epoch()) && seen.running() ? seenAtNanos : seen.freeAtNanos()))"),
            new Mutant(
                    "L12",
                    "the answer to an acquire counts in whatever epoch it arrives",
                    List.of(
                            new Edit(
                                    "Tenure.java",
                                    "session.filter(own -> own.term() == epoch).isEmpty()",
                                    "session.filter(own -> epoch > 0).isEmpty()"),
                            new Edit("Role.java", "under.get().epoch() == session.term()", "under.get().epoch() > 0"))),
            Mutant.of(
                    "L12",
                    "a session is over while somebody leads it",
                    "SessionSight.java",
                    "return term > epoch || (term == epoch && !running);",
                    "return term >= epoch;"),
            Mutant.of(
                    "L12",
                    "a session is called silent as soon as it is seen",
                    "SessionSight.java",
                    "return running && now.nanos() - freeAtNanos >= 0;",
                    "return running;"),
            Mutant.of(
                    "L12",
                    "an ended session is never noticed",
                    "SessionSight.java",
                    "return term > epoch || (term == epoch && !running);",
                    "return term > epoch + 1000;"),
            Mutant.of(
                    "L12",
                    "a lease does not live on with its session",
                    "LeaseState.java",
                    "Optional.of(leading.grant().within(session))",
                    "Optional.of(leading.grant())"),
            Mutant.of(
                    "L12",
                    "isLeader() goes by the lease's own deadline",
                    "LeaseState.java",
                    "leading.isUnder(session) && session.holdsAt(now)",
                    "leading.isUnder(session) && leading.grant().holdsAt(now)"),
            Mutant.of(
                    "L1",
                    "a session's renewal counts from its answer",
                    "Tenure.java",
                    "later ? attempt.sentAt() : old.sentAt()",
                    "turn.now"),
            Mutant.of(
                    "L3",
                    "an epoch is used twice",
                    "Candidacy.java",
                    "turn.sight.highestTerm() + 1,\n                turn.nonce(standing.me().incarnation()),",
                    "Math.max(1, turn.sight.highestTerm()),\n                turn.nonce(standing.me().incarnation()),"));
}
