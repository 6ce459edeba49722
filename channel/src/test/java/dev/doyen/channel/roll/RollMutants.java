package dev.doyen.channel.roll;

import dev.doyen.mutants.Mutant;
import java.util.List;

/**
 * Each rule of docs/spec/ring.md, "Over the hub", broken. Three parts of P5 have vectors only: that a member believes another's word on
 * who is silent saves it the time to find out (20); that only who hears itself judges (14), and holds nothing against the others from
 * before it was away (15, 16), spares it views that last for a moment, and for that moment {@link RollOath} looks away.
 */
final class RollMutants {

    private RollMutants() {}

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
                    "                    left.add(member);",
                    "                    left.remove(member);"),
            Mutant.of(
                    "P5",
                    "who is heard again stays out",
                    1,
                    "RollCall.java",
                    "var left = without(silent, from);",
                    "var left = new LinkedHashSet<>(silent);"),
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
