package dev.doyen.channel.roll;

import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import dev.doyen.membership.ViewId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/** What docs/spec/ring.md promises of views over the hub (P1 to P6), held against a world at every effect and at its end. */
final class RollOath {

    /** Four times a second by the slowest clock, until all have it: then who is silent is left out. */
    private static final long SILENT_NANOS = 7_000 * RollWorld.MILLI;

    private static final long SAY_NANOS = 1_100 * RollWorld.MILLI;

    private final RollWorld world;
    private final Map<ViewId, List<Member>> views = new HashMap<>();

    RollOath(RollWorld world) {
        this.world = world;
    }

    void installs(RollProcess process, View view) {
        List<Member> others = views.putIfAbsent(view.id(), view.members());
        require(others == null || others.equals(view.members()), "P2: two views of one id, " + view + " and " + others);
        require(process.had.add(view.id()), "P3: " + process.me + " installs " + view.id() + " again");
        require(view.id().number() >= process.lastNumber, "P2: the number falls, at " + process.me);
        process.lastNumber = view.id().number();
        require(
                process.state.connected() && process.state.synced(),
                "P6: " + process.me + " is away, and installs a view");
        require(!world.isStable(), "nothing happens, and " + process.me + " installs " + view);
        // The same members under another number are nobody's judgement.
        if (!view.id().creator().equals(process.lastCreator)) {
            leavesOutNobody(process, view);
        }
        process.lastCreator = view.id().creator();
        world.mark("installed");
    }

    private void leavesOutNobody(RollProcess process, View view) {
        for (RollProcess other : world.processes) {
            require(
                    view.has(other.me) || !sees(process, other.me) || !world.isWellKnown(other, SILENT_NANOS),
                    "P5: " + process.me + " leaves out " + other.me + ", who is there and says so");
        }
    }

    void says(RollProcess process) {
        require(process.state.connected() && process.state.synced(), "P6: " + process.me + " is away, and speaks");
        process.lastSaid = world.now;
    }

    /** Looked at now and then. */
    void watch() {
        for (RollProcess process : world.processes) {
            View view = process.state.view();
            if (view == null || !world.isWellKnown(process, SILENT_NANOS)) {
                continue;
            }
            require(
                    !view.has(process.me) || world.now - process.lastSaid <= SAY_NANOS,
                    "P4: " + process.me + " says nothing");
            leavesOutNobody(process, view);
            for (RollProcess other : world.processes) {
                boolean silent = world.now - Math.max(other.lastSaid, other.connectedAt) > SILENT_NANOS
                        && (other.isGone || other.isAway || other.pausedUntil > world.now);
                require(!silent || !view.has(other.me), "P5: " + process.me + " keeps " + other.me + ", who is silent");
            }
        }
    }

    /** L: all who are there have one view, of just them. */
    void healed() {
        List<RollProcess> alive =
                world.processes.stream().filter(process -> !process.isGone).toList();
        var members = new HashSet<Member>();
        var ids = new HashSet<>();
        alive.forEach(process -> members.add(process.me));
        for (RollProcess process : alive) {
            View view = process.state.view();
            require(view != null, process.me + " has no view at the end");
            if (view != null) {
                ids.add(view.id());
                require(
                        members.equals(new HashSet<>(view.members())),
                        process.me + " has " + view + " at the end, and there are " + members);
            }
        }
        require(ids.size() <= 1, "they have different views at the end: " + ids);
    }

    private static boolean sees(RollProcess process, Member other) {
        return process.state.entries().values().stream()
                .anyMatch(entry -> entry.member().filter(other::equals).isPresent());
    }

    private void require(boolean kept, String otherwise) {
        if (!kept) {
            throw new AssertionError(otherwise + ", at " + world.now / RollWorld.MILLI + " ms");
        }
    }
}
