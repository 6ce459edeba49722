package dev.doyen.chaos;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Collects the output of all {@link RingMember}s.
 *
 * <p>Times are microseconds of the wall clock, as read by the members.
 *
 * <p>Threads: any.
 */
final class RingOutput {

    private static final int TOLD = 12;

    /** A member installed this view. */
    record Viewed(long at, long number, String coordinator, List<String> members) {}

    /**
     * A member names this leader, or none if it is empty.
     *
     * @param at when the member began to name it
     */
    record Named(long at, String leader, long term) {}

    /** This member led, in a view of so many members. */
    record Led(long at, String by, long term, int members) {}

    /** The last view and the last leader in the output of one member. */
    record MemberState(Viewed view, Named leader) {
        /**
         * Returns whether the view has exactly these members and the member names this leader.
         *
         * <p>False if an id is in the view twice, such as after a kill and a restart.
         */
        boolean isIn(Set<String> members, String named) {
            return view.members.equals(members.stream().sorted().toList()) && leader.leader.equals(named);
        }
    }

    private static final MemberState NOTHING = new MemberState(new Viewed(0, 0, "-", List.of()), new Named(0, "", 0));

    private final Map<String, MemberState> standing = new HashMap<>();
    private final Map<String, Long> highest = new HashMap<>();
    private final List<String> faults = new ArrayList<>();
    private final List<String> all = new ArrayList<>();
    private final List<Led> leading = new ArrayList<>();

    synchronized void note(String by, String line) {
        String[] said = line.split(" ", -1);
        long at = Long.parseLong(said[0]);
        MemberState before = of(by);
        switch (said[1]) {
            case "view" ->
                standing.put(
                        by,
                        new MemberState(
                                new Viewed(at, Long.parseLong(said[2]), said[3], List.of(said[4].split(",", -1))),
                                before.leader));
            case "leader" -> {
                String leader = said[2].equals("-") ? "" : said[2];
                long term = Long.parseLong(said[3]);
                if (!leader.equals(before.leader.leader) || term != before.leader.term) {
                    standing.put(by, new MemberState(before.view, new Named(at, leader, term)));
                    noteTerm(by, leader, term);
                }
            }
            default -> leading.add(new Led(at, by, Long.parseLong(said[2]), Integer.parseInt(said[3])));
        }
        if (said[1].equals("view") || said[1].equals("leader")) {
            all.add(by + ": " + line);
        }
        notifyAll();
    }

    /**
     * Returns the members' lines that violate S2.
     *
     * <p>The terms that a member names must never fall, in any view.
     */
    synchronized List<String> faults() {
        return List.copyOf(faults);
    }

    /** Returns all lines about views and leaders, in order of arrival. */
    synchronized List<String> all() {
        return List.copyOf(all);
    }

    /** Returns whether this member was ever alone in a view. */
    synchronized boolean wasAlone(String id) {
        return all.stream().anyMatch(said -> said.startsWith(id + ": ") && said.endsWith(" - " + id));
    }

    synchronized MemberState of(String id) {
        return standing.getOrDefault(id, NOTHING);
    }

    /** Returns the times after this one at which a member led. */
    synchronized List<Led> ledAfter(long micros) {
        return leading.stream().filter(led -> led.at > micros).toList();
    }

    /**
     * Returns the times at which a member led in too low a term.
     *
     * <p>The term was lower than one in which a member had led before. A member that is alone in its view does not
     * count. A process that finds no other within its first second, such as on a busy machine, founds a separate
     * cluster, which merges later.
     */
    synchronized List<Led> overlaps() {
        var ordered = new ArrayList<>(leading);
        ordered.sort((one, other) -> Long.compare(one.at, other.at));
        List<Led> overlaps = new ArrayList<>();
        long greatest = 0;
        for (Led led : ordered) {
            if (led.members == 1) {
                continue;
            }
            if (led.term < greatest) {
                overlaps.add(led);
            }
            greatest = Math.max(greatest, led.term);
        }
        return overlaps;
    }

    /**
     * Returns the terms in which two members led, at once or one after the other, each with its leaders.
     *
     * <p>A member that is alone in its view does not count. Processes that each founded a cluster of their own begin
     * with equal terms, and the clusters may merge. So the first terms of such processes may be equal.
     */
    synchronized List<String> sharedTerms() {
        Map<Long, Set<String>> leaders = new TreeMap<>();
        Map<String, Long> first = new HashMap<>();
        for (Led led : leading) {
            first.merge(led.by, led.term, Math::min);
            if (led.members > 1) {
                leaders.computeIfAbsent(led.term, term -> new TreeSet<>()).add(led.by);
            }
        }
        List<String> shared = new ArrayList<>();
        leaders.forEach((term, each) -> {
            boolean areFounders = each.stream().allMatch(by -> wasAlone(by) && term.equals(first.get(by)));
            if (each.size() > 1 && !areFounders) {
                shared.add("term " + term + " had the leaders " + String.join(", ", each));
            }
        });
        return shared;
    }

    /** Waits until exactly these members are in one view and name the same leader. Returns the last output of each. */
    Map<String, MemberState> awaitAgreement(Set<String> members, Predicate<String> wanted) throws InterruptedException {
        return await("agreement of " + members, () -> {
            Set<String> leaders = new HashSet<>();
            members.forEach(id -> leaders.add(of(id).leader.leader));
            String leader = leaders.iterator().next();
            boolean all = leaders.size() == 1
                    && members.contains(leader)
                    && wanted.test(leader)
                    && members.stream().allMatch(id -> of(id).isIn(members, leader));
            return all ? standings(members) : Map.of();
        });
    }

    /** Waits until exactly these members are in one view, with any leader. */
    void awaitView(Set<String> members) throws InterruptedException {
        await("view of " + members, () -> {
            boolean all = members.stream().allMatch(id -> of(id).isIn(members, of(id).leader.leader));
            return all ? standings(members) : Map.of();
        });
    }

    /** Waits until this member has led after this time. */
    void awaitLeading(String id, long afterMicros) throws InterruptedException {
        await(
                id + " leading",
                () -> leading.stream().anyMatch(led -> led.by.equals(id) && led.at > afterMicros)
                        ? standings(Set.of(id))
                        : Map.of());
    }

    /** Waits until any member has led after this time. */
    void awaitLed(long afterMicros) throws InterruptedException {
        await(
                "leader",
                () -> leading.stream().anyMatch(led -> led.at > afterMicros) ? standings(standing.keySet()) : Map.of());
    }

    private interface Observation {
        /** Returns an empty map while the condition does not hold. */
        Map<String, MemberState> look();
    }

    private synchronized Map<String, MemberState> await(String what, Observation look) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(RingChaos.PATIENCE_MILLIS);
        while (true) {
            Map<String, MemberState> seen = look.look();
            if (!seen.isEmpty()) {
                return seen;
            }
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                throw new AssertionError("no " + what + " within " + RingChaos.PATIENCE_MILLIS + " ms; the last were "
                        + all.subList(Math.max(0, all.size() - TOLD), all.size()));
            }
            wait(left);
        }
    }

    private Map<String, MemberState> standings(Collection<String> ids) {
        Map<String, MemberState> each = new LinkedHashMap<>();
        ids.forEach(id -> each.put(id, of(id)));
        return each;
    }

    private void noteTerm(String by, String leader, long term) {
        long before = highest.getOrDefault(by, 0L);
        if (!leader.isEmpty() && term < before) {
            faults.add(by + " named " + leader + " in term " + term + " after term " + before);
        }
        highest.put(by, Math.max(before, term));
    }
}
