package dev.doyen.roster;

import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import dev.doyen.membership.ViewId;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** W1 to W3 and L of docs/spec/ranking.md, held against every effect of a world and against its end. */
final class RosterOath {

    static final Duration TTL = Duration.ofSeconds(1);

    /** 0.8 ttl by the slowest clock there is. */
    private static final long SAFE_NANOS = 834 * RosterWorld.MILLI;

    private static final Duration HALF = TTL.multipliedBy(2).dividedBy(5);

    private final RosterWorld world;
    private final Map<ViewId, Map<Long, Member>> termsOfView = new HashMap<>();

    /** Who has heard, of whom, in which view, something that was said then; or has it and will install that view. */
    private final Map<String, Long> heard = new HashMap<>();

    private long lastNews;

    RosterOath(RosterWorld world) {
        this.world = world;
    }

    void check(RosterProcess process, RosterEffect effect) {
        if (effect instanceof RosterEffect.StartWork start) {
            begins(process, start.term());
        } else if (effect instanceof RosterEffect.StopWork stop) {
            world.require(stop.term() == process.lastLed, process.me + " stops what it did not start");
            process.doubts = false;
            world.mark("lost leading: " + stop.reason());
        } else if (effect instanceof RosterEffect.Jeopardy) {
            process.doubts = true;
            world.mark("in jeopardy");
        } else if (effect instanceof RosterEffect.Recovered) {
            process.doubts = false;
        } else if (effect instanceof RosterEffect.Leader) {
            lastNews = world.now;
        }
    }

    void heard(RosterProcess process, Member from, ViewId view, long sent) {
        heard.merge(process.me + " " + from + " " + view, sent, Math::max);
    }

    void afterEachStep(RosterProcess process) {
        View view = process.state.view().orElse(null);
        if (view == null || !process.leadsAt(world.now)) {
            world.require(
                    view != null || !process.leadsAt(world.now), "V1: " + process.me + " leads, and is in no view");
            return;
        }
        boolean late = process.state.remainingAt(process.at(world.now)).compareTo(HALF) <= 0;
        world.require(late == process.doubts, "V10: " + process.me + " was not proven for long, and does not say so");
        allHaveHeard(process, view);
        for (RosterProcess other : world.processes) {
            world.require(
                    other == process || !process.state.isComplete() || !other.isIn(view) || !other.leadsAt(world.now),
                    "W1: " + process.me + " leads in sight of " + view + ", and " + other.me + " leads there");
        }
    }

    /** W3: what a leader said within 0.8 ttl all others have heard, once it has had its view for so long. */
    private void allHaveHeard(RosterProcess process, View view) {
        if (world.now - process.installedAt <= SAFE_NANOS) {
            return;
        }
        for (Member other : view.members()) {
            long last = heard.getOrDefault(other + " " + process.me + " " + view.id(), Long.MIN_VALUE / 2);
            world.require(
                    other.equals(process.me) || world.now - last <= SAFE_NANOS,
                    "W3: " + process.me + " leads, and " + other + " has not heard it for long");
        }
    }

    /** L. */
    void healed() {
        List<RosterProcess> standing =
                world.alive().stream().filter(process -> !process.closed).toList();
        List<RosterProcess> leaders = world.alive().stream()
                .filter(process -> process.leadsAt(world.now))
                .toList();
        world.require(
                leaders.size() == (standing.isEmpty() ? 0 : 1),
                leaders.size() + " leaders at the end of " + standing.size());
        Set<Object> named = new HashSet<>();
        standing.forEach(process -> named.add(process.state.leader()));
        world.require(named.size() <= 1, "they name different leaders at the end: " + named);
        world.marks.merge(
                "milliseconds to heal, at most",
                (int) ((lastNews - RosterWorld.FAULTS_END) / RosterWorld.MILLI),
                Math::max);
    }

    private void begins(RosterProcess process, long term) {
        View view = process.state.view().orElseThrow();
        world.require(process.state.isComplete(), process.me + " leads without sight");
        world.require(!process.closed, "V9: " + process.me + " leads, and has closed");
        for (RosterProcess other : world.processes) {
            if (other != process && other.isIn(view)) {
                world.require(
                        !other.leadsAt(world.now),
                        "W1: " + process.me + " begins to lead, and " + other.me + " leads in " + view);
                world.require(
                        term > other.lastLed,
                        "W2: " + process.me + " begins with " + term + "; " + other.me + " led in " + other.lastLed);
            }
        }
        world.require(term > process.lastLed, process.me + " led in " + process.lastLed);
        Member first =
                termsOfView.computeIfAbsent(view.id(), id -> new HashMap<>()).putIfAbsent(term, process.me);
        world.require(first == null, "term " + term + " of " + first + " is used again by " + process.me);
        process.lastLed = term;
        world.mark("led");
    }
}
