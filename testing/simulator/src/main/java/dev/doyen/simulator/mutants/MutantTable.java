package dev.doyen.simulator.mutants;

import dev.doyen.mutants.Edit;
import dev.doyen.mutants.Mutant;
import java.util.List;

/**
 * The mutants of the first simulation, for the rules L1 to L7, L9, L10, M4 and M8 of docs/spec/lease.md.
 *
 * <p>{@link SessionMutants} contains the mutants for L8 and L12.
 */
public final class MutantTable {

    private MutantTable() {}

    private static final String STOPPING = "step.become(new Stopping(endedTerm, mine, overlapAt, releaseAt, next));";

    /** The source text of the check of role changes. Without this check a machine can change its role in any way. */
    private static final String CHECKED_CHANGE = "before.getClass() != after.getClass()";

    public static final List<Mutant> ALL = List.of(
            // L1
            Mutant.of(
                    "L1",
                    "an acquire counts from its answer",
                    "LeaseRenewal.java",
                    "        Moment sentAt = attempt.sentAt();",
                    "        Moment sentAt = step.now;"),
            Mutant.of(
                    "L1",
                    "a renewal counts from its answer",
                    "LeaseRenewal.java",
                    "later ? attempt.sentAt() : old.sentAt()",
                    "step.now"),
            Mutant.of(
                    "L1",
                    "a leader uses an answer that arrived after its deadline",
                    "LeaseRenewal.java",
                    "if (!leaderLease.holdsAt(step.now)) {\n            return;\n        }",
                    ""),
            new Mutant(
                    "L1",
                    "a leader leads for W instead of D",
                    List.of(new Edit(
                            "LeaseRenewal.java",
                            "Duration deadline = step.timing.deadline();",
                            "Duration deadline = step.timing.ttl();"))),
            // L2
            new Mutant(
                    "L2",
                    "a follower counts from the send of its read",
                    List.of(
                            new Edit(
                                    "StepContext.java",
                                    "        inFlight = null;\n        return request;",
                                    "        inFlight = null;\n        requestedAt = request.sentAt();\n"
                                            + "        return request;"),
                            new Edit(
                                    "StepContext.java",
                                    "    long readAtNanos;\n",
                                    "    long readAtNanos;\n    @Nullable Moment requestedAt;\n"),
                            new Edit(
                                    "StepContext.java",
                                    "observed.seeing(found, now)",
                                    "observed.seeing(found, requestedAt)"))),
            Mutant.of(
                    "L2",
                    "a follower counts from the first version that it observed in the term",
                    "ObservedRecord.java",
                    "long wait = found.record()",
                    "if (record.isPresent() && found.record().isPresent()"
                            + " && record.get().isHeld() && found.record().get().isHeld()"
                            + " && record.get().term() == found.record().get().term())"
                            + " { return new ObservedRecord(found.version(), found.record(), epoch, seenAtNanos,"
                            + " freeAtNanos, highest, shown, termSinceNanos); }"
                            + " long wait = found.record()"),
            Mutant.of(
                    "L2",
                    "an unchanged version restarts the wait",
                    "ObservedRecord.java",
                    "found.version().equals(version)",
                    "false"),
            // L3
            Mutant.of(
                    "L3",
                    "a follower takes over without waiting",
                    "TakeoverPolicy.java",
                    "        OptionalLong free = step.observed.freeAt(step.sessions);",
                    "        OptionalLong free = OptionalLong.of(step.observed.seenAtNanos());"),
            Mutant.of(
                    "L3",
                    "a follower takes over under the old term",
                    "Candidacy.java",
                    "step.observed.highestTerm() + 1,",
                    "Math.max(1, step.observed.highestTerm()),"),
            Mutant.of(
                    "L3",
                    "a follower waits for half of W",
                    "ObservedRecord.java",
                    "held.ttl().toNanos())",
                    "held.ttl().toNanos() / 2)"),
            Mutant.of(
                    "L3",
                    "a follower never takes over from a silent leader",
                    "ObservedRecord.java",
                    "return OptionalLong.of(freeAtNanos);",
                    "return isHeld() ? OptionalLong.empty() : OptionalLong.of(freeAtNanos);"),
            Mutant.of(
                    "L3",
                    "the new leader starts without the saved state",
                    "Candidacy.java",
                    "previous == null ? SavedState.EMPTY : previous.state()",
                    "SavedState.EMPTY"),
            // L4, L5
            Mutant.of(
                    "L4",
                    "the leader does not read the wall clock",
                    "LeaderLease.java",
                    "deadline.toNanos() && !wallRanAheadAt(now)",
                    "deadline.toNanos()"),
            Mutant.of(
                    "L4",
                    "the leader does not read the monotonic clock",
                    "LeaderLease.java",
                    "now.nanosSince(sentAt) < deadline.toNanos() && ",
                    ""),
            new Mutant(
                    "L5",
                    "isLeader() answers as of the last step",
                    List.of(
                            new Edit(
                                    "LeaderLease.java",
                                    "return now.nanosSince(sentAt) < deadline.toNanos() && !wallRanAheadAt(now);",
                                    "return true;"),
                            new Edit(
                                    "LeaseRenewal.java",
                                    "} else if (!leaderLease.holdsAt(step.now)) {",
                                    "} else if (step.now.nanosSince(leaderLease.sentAt())"
                                            + " >= leaderLease.deadline().toNanos()"
                                            + " || leaderLease.wallRanAheadAt(step.now)) {"),
                            new Edit(
                                    "LeaseRenewal.java",
                                    "if (!leaderLease.holdsAt(step.now)) {\n            return;",
                                    "if (step.now.nanosSince(leaderLease.sentAt()) >= leaderLease.deadline().toNanos()"
                                            + " || leaderLease.wallRanAheadAt(step.now)) {\n            return;"))),
            // L6
            Mutant.of(
                    "L6",
                    "an answer restarts an ended term",
                    "InputHandler.java",
                    "step.become(stopping.holding(Optional.of(stored)));",
                    "renewal.begin(stopping.endedTerm().me(), attempt, version);"),
            Mutant.of(
                    "L6",
                    "the leader releases the lease before the work has stopped",
                    "LeaseRenewal.java",
                    STOPPING,
                    "step.become(mine.isPresent()"
                            + " ? new dev.doyen.lease.Role.Releasing(endedTerm, mine, Optional.empty(),"
                            + " step.now.nanos() + step.timing.ttl().toNanos(), next)"
                            + " : new Stopping(endedTerm, mine, overlapAt, releaseAt, next));",
                    "Transitions.java",
                    CHECKED_CHANGE,
                    "false"),
            Mutant.of(
                    "L6",
                    "the table of transitions lacks the end of the work without a release",
                    "Transitions.java",
                    "new Transition(Stopping.class, Campaigning.class, \"L6\", List.of(WorkStopped.class)),",
                    ""),
            Mutant.of(
                    "L4",
                    "the table of transitions lacks the end of a term at its deadline",
                    "Transitions.java",
                    "new Transition(Leading.class, Stopping.class, \"L4, L12\", List.of(Woken.class)),",
                    ""),
            Mutant.of(
                    "L6",
                    "the leader releases the lease with an older state",
                    "LeaseRelease.java",
                    "held.state(),",
                    "dev.doyen.event.SavedState.EMPTY,"),
            // L7
            Mutant.of(
                    "L7",
                    "a rejected renewal counts as not carried out",
                    "LeaseRenewal.java",
                    "unresolved.add(attempt);",
                    "if (!fault.refused()) {\n            unresolved.add(attempt);\n        }"),
            Mutant.of(
                    "L7",
                    "the leader keeps leading after a conflict",
                    "LeaseRenewal.java",
                    "if (record == null || !isOurs(leading)) {\n"
                            + "            finish(leading, LossCause.SUPERSEDED, Optional.empty(),"
                            + " campaignAgain(leading));",
                    "if (record == null || !isOurs(leading)) {\n            doubt(leading, attempt, StoreFault.away(\"\"));"),
            Mutant.of(
                    "L7",
                    "an unknown outcome ends the term",
                    "InputHandler.java",
                    "renewal.doubt(leading, attempt, fault);",
                    "renewal.finish(leading, LossCause.EXPIRED, Optional.empty(),"
                            + " new Next.Campaign(leading.leaderLease().holder(), 0));"),
            Mutant.of(
                    "L7",
                    "an unknown outcome counts as a success",
                    "InputHandler.java",
                    "renewal.doubt(leading, attempt, fault);",
                    "renewal.confirm(leading, attempt, leading.version());"),
            Mutant.of(
                    "L7",
                    "a write with a lost answer counts from the latest send",
                    "LeaseRenewal.java",
                    "confirm(leading, known, current.version());",
                    "confirm(leading, attempt, current.version());"),
            Mutant.of(
                    "L7",
                    "any version of the own term is a success",
                    "LeaseRenewal.java",
                    "next.renewAtNanos = step.now.nanos() + step.machine.retryPauseNanos();\n"
                            + "            next.unresolved = List.of();\n        }));",
                    "next.unresolved = List.of();\n        }));\n"
                            + "        confirm((Leading) step.role(), attempt, current.version());"),
            // L9
            Mutant.of(
                    "L9",
                    "a loss is not reported",
                    "LeaseRenewal.java",
                    "step.report(new ElectionEvent.Lost(endedTerm.term(), endedTerm.end()));",
                    ""),
            Mutant.of(
                    "L9",
                    "jeopardy is reported repeatedly",
                    "LeaseRenewal.java",
                    "if (renewal && !leading.inJeopardy()) {",
                    "{"),
            Mutant.of(
                    "L9",
                    "a recovery is reported without jeopardy",
                    "LeaseRenewal.java",
                    "if (leading.inJeopardy() && leading.epoch().isEmpty()) {",
                    "{"),
            Mutant.of(
                    "L9",
                    "a candidate campaigns again while its work still runs",
                    "LeaseRenewal.java",
                    STOPPING,
                    "step.become(mine.isEmpty() && next instanceof Next.Campaign"
                            + " ? new dev.doyen.lease.Role.Campaigning(endedTerm.me(), step.now.nanos())"
                            + " : new Stopping(endedTerm, mine, overlapAt, releaseAt, next));",
                    "Transitions.java",
                    CHECKED_CHANGE,
                    "false"),
            Mutant.of(
                    "L9",
                    "a candidate does not campaign again",
                    "LeaseRenewal.java",
                    "return new Next.Campaign(leading.leaderLease().holder(), Math.min(pause, most));",
                    "return new Next.Observe();"),
            Mutant.of(
                    "L9",
                    "the leader is reported after the end",
                    "Observation.java",
                    "if (!(step.role() instanceof Leading || step.role() instanceof Gone)) {",
                    "if (!(step.role() instanceof Leading)) {"),
            // The M rules do not affect safety, but they are promises too.
            Mutant.of(
                    "M4",
                    "an admin command is ignored",
                    "LeaseRenewal.java",
                    "causeOf(order.to())",
                    "LossCause.PAUSED"),
            Mutant.of(
                    "M8",
                    "a candidate asks a leader of the same generation",
                    "TakeoverPolicy.java",
                    "mine.generation() > notes.generation()",
                    "mine.generation() >= notes.generation()"),
            Mutant.of(
                    "M8",
                    "an unhealthy candidate asks the leader",
                    "TakeoverPolicy.java",
                    "step.eligibility != Eligibility.FIT\n                || ",
                    ""),
            Mutant.of(
                    "M8",
                    "the priority counts more than the generation",
                    "TakeoverPolicy.java",
                    "return mine.generation() == notes.generation()\n                        && mayRequest",
                    "return mayRequest"),
            Mutant.of(
                    "M8",
                    "a holder does not write its generation",
                    "TakeoverPolicy.java",
                    "notes.heldWith(shownPriority(), shownGeneration())",
                    "notes.heldWith(shownPriority(), 0)"),
            // L10
            Mutant.of(
                    "L10",
                    "the same name is the same holder",
                    "ObservedRecord.java",
                    "r.incarnation().equals(identity.incarnation())",
                    "true"));
}
