package dev.doyen.channel.roll;

import dev.doyen.mutants.Mutant;
import java.util.List;

/** Each rule of docs/spec/ring.md, "Over the hub", broken. */
final class RollMutants {

    private RollMutants() {}

    /** It saves who came the time to find out itself; no promise depends on it. Vector 20 shows it. */
    static final Mutant BELIEVES_NOBODY = Mutant.of(
            "P5", "another's word is not believed", 1, "RollCall.java", "forEach(left::add)", "forEach(left::remove)");

    /** Hunted in worlds. */
    static final List<Mutant> ALL = List.of(
            Mutant.of(
                    "P1",
                    "what is heard during a sync is forgotten",
                    1,
                    "RollCall.java",
                    "        overlay.forEach(\n                (key, entry) -> entry.ifPresentOrElse(there -> entries.put(key, there), () -> entries.remove(key)));\n",
                    ""),
            Mutant.of(
                    "P1",
                    "who has one entry less is gone",
                    1,
                    "RollCall.java",
                    "        if (synced) {\n            entries.remove(key);",
                    "        if (synced) {\n            Entry one = entries.get(key);\n            entries.values().removeIf(each -> one != null && each.member().equals(one.member()));"),
            Mutant.of(
                    "P2",
                    "a view is named by ids without incarnations",
                    1,
                    "RollCall.java",
                    ".append(member.incarnation())\n",
                    ".append(\"\")\n"),
            Mutant.of(
                    "P2",
                    "the number is the hub's, though a greater one was had",
                    1,
                    "RollCall.java",
                    "Math.max(Math.max(1, last), latest)",
                    "Math.max(1, latest)"),
            Mutant.of(
                    "P3",
                    "an id is installed again",
                    1,
                    "RollCall.java",
                    "before.contains(creator) || before.size() == MAX_USED",
                    "before.size() == MAX_USED"),
            Mutant.of(
                    "P4",
                    "nobody says which view it has but once",
                    1,
                    "RollCall.java",
                    "sayAtNanos = now + periodNanos();",
                    "sayAtNanos = now + 1_000 * periodNanos();"),
            Mutant.of(
                    "P4",
                    "a greater number of the same members is not taken over",
                    1,
                    "RollCall.java",
                    "number > mine.id().number() && number <= MAX_NUMBER",
                    "number > MAX_NUMBER && number <= MAX_NUMBER"),
            Mutant.of(
                    "P5",
                    "who is silent stays",
                    1,
                    "RollCall.java",
                    "                left.add(member);",
                    "                left.remove(member);"),
            Mutant.of(
                    "P5",
                    "who is heard again stays out",
                    1,
                    "RollCall.java",
                    "var left = without(silent, from);",
                    "var left = new LinkedHashSet<>(silent);"),
            Mutant.of(
                    "P5",
                    "it judges without hearing itself",
                    1,
                    "RollCall.java",
                    "        return echoSaidAtNanos.isPresent() && now - echoSaidAtNanos.getAsLong() < SILENCE / 2 * periodNanos();",
                    "        return true;"),
            Mutant.of(
                    "P5",
                    "an echo counts from when it is heard",
                    200,
                    "RollCall.java",
                    "            echoSaidAtNanos = saidAtNanos;",
                    "            echoSaidAtNanos = OptionalLong.of(now);"),
            Mutant.of(
                    "P5",
                    "it tells others what it knew before it stood still",
                    780,
                    "RollCall.java",
                    "hearsItself() ? silent : Set.of()",
                    "silent"),
            Mutant.of(
                    "P5",
                    "it holds against others what it missed",
                    1,
                    "RollCall.java",
                    "        heardAtNanos = new LinkedHashMap<>();\n        unheard",
                    "        unheard"),
            Mutant.of(
                    "P5",
                    "who was silent before it was away is silent after",
                    20,
                    "RollCall.java",
                    "        silent = Set.of();\n",
                    ""),
            Mutant.of(
                    "P5",
                    "what it believed of a member outlives that member's word",
                    1,
                    "RollCall.java",
                    "            unheard = without(unheard, from);\n",
                    ""),
            Mutant.of(
                    "P6",
                    "it makes views before the sync is complete",
                    1,
                    "RollCall.java",
                    "    private void decide() {\n        if (!connected || !synced) {",
                    "    private void decide() {\n        if (!connected) {"),
            Mutant.of(
                    "P6",
                    "it makes views without a connection",
                    1,
                    "RollCall.java",
                    "    private void decide() {\n        if (!connected || !synced) {",
                    "    private void decide() {\n        if (!synced) {",
                    "RollCall.java",
                    "        connected = false;\n        synced = false;",
                    "        connected = false;"));
}
