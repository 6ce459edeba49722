package dev.doyen.roster;

import dev.doyen.mutants.Mutant;
import java.util.List;

/**
 * Each rule of docs/spec/ranking.md, "Over a membership", broken, and each of these is caught: by simulated worlds, or, of four things that
 * they do not show, by a step. What V1 keeps of views that may come only saves time, since V7 says it
 * again; numbers rise from view to view, so what was said in an old one confirms nothing anyway; between an answer and the end of
 * the work in one step (V6) no time passes there; and terms that are only heard of (V8) mattered in none of 200 worlds.
 */
final class RosterMutants {

    private RosterMutants() {}

    /** Caught by the step whose name begins with what stands after the semicolon. */
    static final List<Mutant> STEPS = List.of(
            Mutant.of(
                    "V1",
                    "what came early is dropped; V1_nothing_of_another_view_counts",
                    1,
                    "Attendance.java",
                    "        hearWhatCameEarly(next);\n",
                    ""),
            Mutant.of(
                    "V1",
                    "what was said in another view counts; V1_nothing_of_another_view_counts",
                    1,
                    "Attendance.java",
                    "if (view != null && message.view().equals(view.id())) {",
                    "if (view != null && message.view().number() <= view.id().number()) {"),
            Mutant.of(
                    "V6",
                    "it answers before it has stopped; V6_who_meets_a_better_claim",
                    1,
                    "Attendance.java",
                    "        if (message.asks()) {\n            turn.send(from, false);\n        }\n",
                    "",
                    "Attendance.java",
                    "        Entry entry = peer.entry();\n",
                    "        if (message.asks()) {\n            turn.send(from, false);\n        }\n        Entry entry = peer.entry();\n"),
            Mutant.of(
                    "V8",
                    "terms that are only heard of are forgotten; V8_what_a_member_knows_of_terms",
                    1,
                    "Attendance.java",
                    "Math.max(message.seen(), message.entry().term())",
                    "message.entry().term()"));

    /** Hunted in worlds. */
    static final List<Mutant> ALL = List.of(
            Mutant.of(
                    "V1",
                    "a claim that is under way goes on in another view",
                    30,
                    "Attendance.java",
                    "        abandonClaim();\n        turn.peers.clear();",
                    "        turn.peers.clear();"),
            Mutant.of(
                    "V1",
                    "who is put out leads on",
                    1,
                    "Attendance.java",
                    "turn.feed(new RankingInput.Detached(turn.now));",
                    ""),
            Mutant.of(
                    "V2",
                    "an old message counts like a new one",
                    30,
                    "Peer.java",
                    "entry == null || message.number() > number",
                    "entry == null || message.number() > 0"),
            Mutant.of(
                    "V3",
                    "its sight is complete before the others have heard it",
                    1,
                    "RosterTurn.java",
                    "if (!complete && allHeard(entryNumber)) {",
                    "if (!complete) {"),
            Mutant.of(
                    "V4",
                    "it sees its own write before the others have",
                    1,
                    "RosterTurn.java",
                    "} else if (!echoed && allHeard(entryNumber)) {",
                    "} else if (!echoed) {"),
            Mutant.of(
                    "V5",
                    "a ping needs no answer",
                    1,
                    "RosterTurn.java",
                    "!pings.isEmpty() && allHeard(pings.get(0).number())",
                    "!pings.isEmpty()"),
            Mutant.of(
                    "V6",
                    "who is outdone stops only when it has sight",
                    1,
                    "Attendance.java",
                    "            stopIfOutdone(from, entry);\n",
                    ""),
            Mutant.of(
                    "V7",
                    "nothing is said again",
                    1,
                    "RosterTurn.java",
                    "if (peer.heard() < number) {",
                    "if (peer.heard() < 0) {"),
            Mutant.of(
                    "V8",
                    "who came last is taken for the oldest",
                    1,
                    "Entry.java",
                    "                joined,\n                role,",
                    "                -joined,\n                role,"),
            Mutant.of(
                    "V9",
                    "who closes stands",
                    1,
                    "Attendance.java",
                    "turn.feed(new RankingInput.StandBack(turn.now, input.reason()));",
                    ""),
            Mutant.of(
                    "V10",
                    "a leader that is not proven does not say so",
                    1,
                    "RosterTurn.java",
                    "boolean late = remaining.compareTo(half()) <= 0;",
                    "boolean late = remaining.isZero();"));
}
