package dev.doyen.simulator.mutants;

import dev.doyen.mutants.Edit;
import dev.doyen.mutants.Mutant;
import java.util.List;

/** Mutants for each rule of docs/spec/lease.md that a machine decides. The driver is responsible for L8. */
public final class MutantTable {

    private MutantTable() {}

    private static final String STOPPING = "turn.become(new Stopping(tenancy, mine, overlapAt, releaseAt, next));";

    /** Without this check a machine may change its role in any way. */
    private static final String CHECKED_CHANGE = "before.getClass() != after.getClass()";

    public static final List<Mutant> ALL = List.of(
            // L1
            Mutant.of(
                    "L1",
                    "an acquire counts from its answer",
                    "Tenure.java",
                    "        Moment sentAt = attempt.sentAt();",
                    "        Moment sentAt = turn.now;"),
            Mutant.of(
                    "L1",
                    "a renewal counts from its answer",
                    "Tenure.java",
                    "later ? attempt.sentAt() : old.sentAt()",
                    "turn.now"),
            Mutant.of(
                    "L1",
                    "an answer that came too late to lead by is led by",
                    "Tenure.java",
                    "if (!grant.holdsAt(turn.now)) {\n            return;\n        }",
                    ""),
            new Mutant(
                    "L1",
                    "leads for W, not for D",
                    List.of(new Edit(
                            "Tenure.java",
                            "Duration deadline = turn.timing.deadline();",
                            "Duration deadline = turn.timing.ttl();"))),
            // L2
            new Mutant(
                    "L2",
                    "a follower counts from the sending of its look",
                    List.of(
                            new Edit(
                                    "Turn.java",
                                    "        inFlight = null;\n        return request;",
                                    "        inFlight = null;\n        askedAt = request.sentAt();\n        return request;"),
                            new Edit(
                                    "Turn.java",
                                    "    long lookAtNanos;\n",
                                    "    long lookAtNanos;\n    @Nullable Moment askedAt;\n"),
                            new Edit("Turn.java", "sight.seeing(found, now)", "sight.seeing(found, askedAt)"))),
            Mutant.of(
                    "L2",
                    "a follower counts from the first sight of the term",
                    "Sight.java",
                    "long wait = found.record()",
                    "if (record.isPresent() && found.record().isPresent()"
                            + " && record.get().isHeld() && found.record().get().isHeld()"
                            + " && record.get().term() == found.record().get().term())"
                            + " { return new Sight(found.version(), found.record(), epoch, seenAtNanos,"
                            + " freeAtNanos, highest, shown, termSinceNanos); }"
                            + " long wait = found.record()"),
            Mutant.of(
                    "L2",
                    "the same version again starts the count again",
                    "Sight.java",
                    "found.version().equals(version)",
                    "false"),
            // L3
            Mutant.of(
                    "L3",
                    "takes over without waiting",
                    "Manners.java",
                    "        OptionalLong free = turn.sight.freeAt(turn.sessions);",
                    "        OptionalLong free = OptionalLong.of(turn.sight.seenAtNanos());"),
            Mutant.of(
                    "L3",
                    "takes over under the old term",
                    "Candidacy.java",
                    "turn.sight.highestTerm() + 1,",
                    "Math.max(1, turn.sight.highestTerm()),"),
            Mutant.of("L3", "waits half of W", "Sight.java", "held.ttl().toNanos())", "held.ttl().toNanos() / 2)"),
            Mutant.of(
                    "L3",
                    "never takes over from the silent",
                    "Sight.java",
                    "return OptionalLong.of(freeAtNanos);",
                    "return isHeld() ? OptionalLong.empty() : OptionalLong.of(freeAtNanos);"),
            Mutant.of(
                    "L3",
                    "the new leader starts from nothing",
                    "Candidacy.java",
                    "previous == null ? HandOverState.EMPTY : previous.state()",
                    "HandOverState.EMPTY"),
            // L4, L5
            Mutant.of(
                    "L4",
                    "the wall clock is not asked",
                    "Grant.java",
                    "deadline.toNanos() && !wallRanAheadAt(now)",
                    "deadline.toNanos()"),
            Mutant.of(
                    "L4",
                    "the monotonic clock is not asked",
                    "Grant.java",
                    "now.nanosSince(sentAt) < deadline.toNanos() && ",
                    ""),
            new Mutant(
                    "L5",
                    "isLeader() answers as of the last step",
                    List.of(
                            new Edit(
                                    "Grant.java",
                                    "return now.nanosSince(sentAt) < deadline.toNanos() && !wallRanAheadAt(now);",
                                    "return true;"),
                            new Edit(
                                    "Tenure.java",
                                    "} else if (!grant.holdsAt(turn.now)) {",
                                    "} else if (turn.now.nanosSince(grant.sentAt()) >= grant.deadline().toNanos()"
                                            + " || grant.wallRanAheadAt(turn.now)) {"),
                            new Edit(
                                    "Tenure.java",
                                    "if (!grant.holdsAt(turn.now)) {\n            return;",
                                    "if (turn.now.nanosSince(grant.sentAt()) >= grant.deadline().toNanos()"
                                            + " || grant.wallRanAheadAt(turn.now)) {\n            return;"))),
            // L6
            Mutant.of(
                    "L6",
                    "an answer revives a finished term",
                    "Inbox.java",
                    "turn.become(stopping.holding(Optional.of(stored)));",
                    "tenure.begin(stopping.tenancy().me(), attempt, version);"),
            Mutant.of(
                    "L6",
                    "releases the lease before the work has stopped",
                    "Tenure.java",
                    STOPPING,
                    "turn.become(mine.isPresent() ? new dev.doyen.lease.Role.Releasing(tenancy, mine, Optional.empty(),"
                            + " turn.now.nanos() + turn.timing.ttl().toNanos(), next)"
                            + " : new Stopping(tenancy, mine, overlapAt, releaseAt, next));",
                    "Transitions.java",
                    CHECKED_CHANGE,
                    "false"),
            Mutant.of(
                    "L6",
                    "the table of transitions lacks the end of the work without a release",
                    "Transitions.java",
                    "new Transition(Stopping.class, Standing.class, \"L6\", List.of(WorkStopped.class)),",
                    ""),
            Mutant.of(
                    "L4",
                    "the table of transitions lacks the end of a term at its deadline",
                    "Transitions.java",
                    "new Transition(Leading.class, Stopping.class, \"L4, L12\", List.of(Woken.class)),",
                    ""),
            Mutant.of(
                    "L6",
                    "gives back an older state",
                    "Departure.java",
                    "held.state(),",
                    "dev.doyen.event.HandOverState.EMPTY,"),
            // L7
            Mutant.of(
                    "L7",
                    "goes on leading over a conflict",
                    "Tenure.java",
                    "if (record == null || !isOurs(leading)) {\n            finish(leading, LossCause.SUPERSEDED, Optional.empty(), standAgain(leading), \"\");",
                    "if (record == null || !isOurs(leading)) {\n            doubt(leading, attempt, \"\");"),
            Mutant.of(
                    "L7",
                    "an unknown outcome ends the term",
                    "Inbox.java",
                    "tenure.doubt(leading, attempt, reason);",
                    "tenure.finish(leading, LossCause.EXPIRED, Optional.empty(),"
                            + " new Next.Stand(leading.grant().holder(), 0), \"\");"),
            Mutant.of(
                    "L7",
                    "an unknown outcome counts as a success",
                    "Inbox.java",
                    "tenure.doubt(leading, attempt, reason);",
                    "tenure.confirm(leading, attempt, leading.version());"),
            Mutant.of(
                    "L7",
                    "a lost answer found again counts from the latest send",
                    "Tenure.java",
                    "confirm(leading, known, current.version());",
                    "confirm(leading, attempt, current.version());"),
            Mutant.of(
                    "L7",
                    "any version of one's own term is a success",
                    "Tenure.java",
                    "next.renewAtNanos = turn.now.nanos() + turn.machine.retryPauseNanos();\n            next.unresolved = List.of();\n        }));",
                    "next.unresolved = List.of();\n        }));\n        confirm((Leading) turn.role(), attempt, current.version());"),
            // L9
            Mutant.of(
                    "L9",
                    "a loss is not told",
                    "Tenure.java",
                    "turn.tell(new ElectionEvent.Lost(tenancy.term(), tenancy.end()));",
                    ""),
            Mutant.of(
                    "L9",
                    "jeopardy is told again and again",
                    "Tenure.java",
                    "if (renewal && !leading.inJeopardy()) {",
                    "{"),
            Mutant.of(
                    "L9",
                    "recovered without jeopardy",
                    "Tenure.java",
                    "if (leading.inJeopardy() && leading.epoch().isEmpty()) {",
                    "{"),
            Mutant.of(
                    "L9",
                    "stands again while the work goes on",
                    "Tenure.java",
                    STOPPING,
                    "turn.become(mine.isEmpty() && next instanceof Next.Stand"
                            + " ? new dev.doyen.lease.Role.Standing(tenancy.me(), turn.now.nanos())"
                            + " : new Stopping(tenancy, mine, overlapAt, releaseAt, next));",
                    "Transitions.java",
                    CHECKED_CHANGE,
                    "false"),
            Mutant.of(
                    "L9",
                    "does not stand again",
                    "Tenure.java",
                    "return new Next.Stand(leading.grant().holder(), Math.min(pause, most));",
                    "return new Next.Observe();"),
            Mutant.of(
                    "L9",
                    "who leads is told after the end, too",
                    "Observation.java",
                    "if (!(turn.role() instanceof Leading || turn.role() instanceof Gone)) {",
                    "if (!(turn.role() instanceof Leading)) {"),
            // The takeover policy does not affect safety, but its rules are promises too.
            Mutant.of(
                    "M4",
                    "an order is not obeyed for what it says",
                    "Tenure.java",
                    "LossCause cause = order.to().isEmpty() ? LossCause.RESIGNED : LossCause.TRANSFERRED;",
                    "LossCause cause = LossCause.PAUSED;"),
            // L10
            Mutant.of(
                    "L10",
                    "the same name is the same holder",
                    "Sight.java",
                    "r.incarnation().equals(identity.incarnation())",
                    "true"));
}
