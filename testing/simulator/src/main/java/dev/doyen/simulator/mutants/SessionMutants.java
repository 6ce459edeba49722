package dev.doyen.simulator.mutants;

import dev.doyen.mutants.Mutant;
import java.util.List;

/**
 * The mutants for the rules of sessions (L12), of the driver and of tasks.
 *
 * <p>These mutants run in simulations of whole processes.
 */
public final class SessionMutants {

    private SessionMutants() {}

    public static final List<Mutant> ALL = List.of(
            Mutant.of(
                    "L12",
                    "a lease is taken from a silent session without fencing it",
                    50,
                    "ObservedRecord.java",
                    ".filter(seen -> seen.hasEnded(session.term()))\n"
                            + "                .map(seen -> OptionalLong.of(later(seenAtNanos,"
                            + " seen.running() ? seenAtNanos : seen.freeAtNanos())))",
                    ".map(seen -> OptionalLong.of(seen.hasEnded(session.term()) && seen.running()"
                            + " ? seenAtNanos : seen.freeAtNanos()))"),
            Mutant.of(
                    "L12",
                    "the answer to an acquire counts in any epoch",
                    "LeaseRenewal.java",
                    "step.sessions.own().filter(own -> record.epoch().equals(Optional.of(own.epoch())));",
                    "step.sessions.own();",
                    "Role.java",
                    "epoch.filter(session.epoch()::equals).isPresent()",
                    "epoch.isPresent()"),
            Mutant.of(
                    "L12",
                    "epochs of two session records are equal if their terms are equal",
                    "LeaseRenewal.java",
                    "own -> record.epoch().equals(Optional.of(own.epoch()))",
                    "own -> record.epoch().filter(e -> e.term() == own.epoch().term()).isPresent()",
                    "Role.java",
                    "epoch.filter(session.epoch()::equals).isPresent()",
                    "epoch.filter(e -> e.term() == session.epoch().term()).isPresent()"),
            Mutant.of(
                    "L12",
                    "a session is over while a process still leads it",
                    "ObservedSession.java",
                    "return term > epoch || (term == epoch && !running);",
                    "return term >= epoch;"),
            Mutant.of(
                    "L12",
                    "an older record of a session ends its present epoch",
                    885,
                    "ObservedRecord.java",
                    "record.filter(r -> r.term() == shownTerm).isPresent()",
                    "record.isPresent()"),
            Mutant.of(
                    "L12",
                    "a session is silent as soon as it is observed",
                    "ObservedSession.java",
                    "return running && now.nanos() - freeAtNanos >= 0;",
                    "return running;"),
            Mutant.of(
                    "L12",
                    "the end of a session is never announced",
                    "ObservedSession.java",
                    "return term > epoch || (term == epoch && !running);",
                    "return term > epoch + 1000;"),
            Mutant.of(
                    "L12",
                    "a lease ends although its session continues",
                    "LeaseState.java",
                    "Optional.of(leading.leaderLease().within(session.leaderLease()))",
                    "Optional.of(leading.leaderLease())"),
            Mutant.of(
                    "L12",
                    "isLeader() uses the lease's own deadline",
                    "LeaseState.java",
                    "leading.isUnder(session) && session.holdsAt(now)",
                    "leading.isUnder(session) && leading.leaderLease().holdsAt(now)"),
            Mutant.of(
                    "L1",
                    "a session's renewal counts from its answer",
                    680,
                    "LeaseRenewal.java",
                    "later ? attempt.sentAt() : old.sentAt()",
                    "step.now"),
            Mutant.of(
                    "L3",
                    "an epoch is used twice",
                    "Candidacy.java",
                    "step.observed.highestTerm() + 1,\n                step.nonce(campaigning.me().incarnation()),",
                    "Math.max(1, step.observed.highestTerm()),\n"
                            + "                step.nonce(campaigning.me().incarnation()),"),
            Mutant.of(
                    "L12.3",
                    "session records of ended processes stay held",
                    "SessionRecords.java",
                    "if (fences.isEmpty()) {",
                    "if (!fences.isEmpty() || fences.isEmpty()) {"),
            Mutant.of(
                    "L12.6",
                    "work that does not stop keeps its record as long as its session lives",
                    410,
                    "LeaseRenewal.java",
                    "endedTerm.epoch().isEmpty()\n                ? OptionalLong.empty()",
                    "step != null\n                ? OptionalLong.empty()"),
            Mutant.of(
                    "L12.6",
                    "a release under a session stops after W",
                    25,
                    "LeaseRelease.java",
                    "if (!isHeldByLiveSession(releasing.endedTerm())) {",
                    "if (step != null) {"),
            Mutant.of(
                    "L8",
                    "an Error of a store call ends the queue of store calls",
                    170,
                    "BatchQueue.java",
                    "            work.accept(batch);\n        } catch (Throwable e) {",
                    "            work.accept(batch);\n        } catch (RuntimeException e) {",
                    "BatchQueue.java",
                    "                work(batch);\n            }\n        } catch (Throwable e) {",
                    "                work(batch);\n            }\n        } catch (RuntimeException e) {"),
            Mutant.of(
                    "L8",
                    "a queue that gets no thread waits forever",
                    25,
                    "BatchQueue.java",
                    "        if (!accepted) {\n            stop(fault);",
                    "        if (!accepted && fault.reason().isEmpty()) {\n            stop(fault);"),
            Mutant.of(
                    "whileLeading",
                    "the end of a term is a failure of the task until the loop has announced the end",
                    205,
                    "TermScope.java",
                    "            lost = isLost();\n            if (!lost || isInterruptByOthers(e)) {",
                    "            synchronized (this) {\n                lost = ended;\n            }\n"
                            + "            if (!lost || isInterruptByOthers(e)) {"),
            Mutant.of(
                    "whileLeading",
                    "a task begins in a term that has expired by the clocks",
                    1595,
                    "TermScope.java",
                    "        if (isLost()) {\n            return false;",
                    "        if (ended) {\n            return false;"),
            Mutant.of(
                    "whileLeading",
                    "a term continues after its task has ended",
                    "TermScope.java",
                    "if (!workEnded()) {",
                    "if (!workEnded() && lost) {",
                    "EligibilityTracker.java",
                    "        taskEnded = true;\n",
                    ""),
            Mutant.of(
                    "whileLeading",
                    "a candidate whose task has ended is elected again",
                    570,
                    "EligibilityTracker.java",
                    "        taskEnded = true;\n",
                    ""));
}
