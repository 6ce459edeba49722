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
 * Collects the printed lines of all members of a ring.
 *
 * <p>The members are {@link RingMember}s or {@link PodProcess}es. Their times are microseconds of the wall clock.
 *
 * <p>Threads: any.
 */
final class RingOutput {

    private static final int PRINTED_LINES = 12;

    /** A member installed this view. */
    record Viewed(long at, long number, String coordinator, List<String> members) {}

    /**
     * A member names this leader.
     *
     * @param at the time at which the member began to name this leader
     * @param leader the id of the leader; empty if the member names no leader
     */
    record Named(long at, String leader, long term) {}

    /** This member led at this time, in a view with this number of members. */
    record Led(long at, String by, long term, int members) {}

    /** The last view and the last leader in the output of one member. */
    record MemberState(Viewed view, Named leader) {
        /**
         * Returns true if the view has exactly these members and the member names this leader.
         *
         * <p>The result is false if the view contains an id twice, such as after a kill and a restart.
         */
        boolean isIn(Set<String> members, String named) {
            return view.members.equals(members.stream().sorted().toList()) && leader.leader.equals(named);
        }
    }

    private static final MemberState NOTHING = new MemberState(new Viewed(0, 0, "-", List.of()), new Named(0, "", 0));

    private final Map<String, MemberState> states = new HashMap<>();
    private final Map<String, Long> highest = new HashMap<>();
    private final List<String> faults = new ArrayList<>();
    private final List<String> all = new ArrayList<>();
    private final List<Led> leading = new ArrayList<>();
    private final Set<String> everAlone = new HashSet<>();

    synchronized void note(String by, String line) {
        String[] fields = line.split(" ", -1);
        long at = Long.parseLong(fields[0]);
        MemberState before = of(by);
        switch (fields[1]) {
            case "view" -> {
                List<String> members = List.of(fields[4].split(",", -1));
                states.put(
                        by,
                        new MemberState(new Viewed(at, Long.parseLong(fields[2]), fields[3], members), before.leader));
                if (members.size() == 1) {
                    everAlone.add(by);
                }
            }
            case "leader" -> {
                String leader = fields[2].equals("-") ? "" : fields[2];
                long term = Long.parseLong(fields[3]);
                if (!leader.equals(before.leader.leader) || term != before.leader.term) {
                    states.put(by, new MemberState(before.view, new Named(at, leader, term)));
                    noteTerm(by, leader, term);
                }
            }
            default -> leading.add(new Led(at, by, Long.parseLong(fields[2]), Integer.parseInt(fields[3])));
        }
        if (fields[1].equals("view") || fields[1].equals("leader")) {
            all.add(by + ": " + line);
        }
        notifyAll();
    }

    /**
     * Returns the violations of rule S2 of docs/spec/ring.md.
     *
     * <p>By this rule, the terms of the leaders that a member names never decrease. The rule also applies after a
     * change of the view.
     */
    synchronized List<String> faults() {
        return List.copyOf(faults);
    }

    /** Returns all lines about views and leaders, in order of arrival. */
    synchronized List<String> all() {
        return List.copyOf(all);
    }

    /** Returns true if this member was ever the only member of its view. */
    synchronized boolean wasAlone(String id) {
        return everAlone.contains(id);
    }

    synchronized MemberState of(String id) {
        return states.getOrDefault(id, NOTHING);
    }

    /** Returns each report that a member led, if the time of the report is later than {@code micros}. */
    synchronized List<Led> ledAfter(long micros) {
        return leading.stream().filter(led -> led.at > micros).toList();
    }

    /**
     * Returns the times at which a member led in a term that was too low.
     *
     * <p>Such a term is lower than a term in which any member led earlier. A member that is alone in its view does not
     * count, because such a member can have started a separate cluster, which merges later. A process starts a separate
     * cluster if it finds no other member within its first second. This can happen on a busy machine.
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
     * Returns the terms in which more than one member led, with the leaders of each term.
     *
     * <p>The method counts members that led at the same time or one after the other. A member that is alone in its view
     * does not count. The reason is that several processes can each start a separate cluster with the same first term.
     * These clusters merge later. So the method also omits a term if it was the first term of each of its leaders, and
     * if each of these leaders was alone in a view at some time.
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

    /**
     * Waits until exactly these members are in one view and name the same leader. The leader must be one of these
     * members and must satisfy the condition. Returns the state of each member.
     */
    Map<String, MemberState> awaitAgreement(Set<String> members, Predicate<String> condition)
            throws InterruptedException {
        return await("agreement of " + members, () -> {
            Set<String> leaders = new HashSet<>();
            members.forEach(id -> leaders.add(of(id).leader.leader));
            String leader = leaders.iterator().next();
            boolean all = leaders.size() == 1
                    && members.contains(leader)
                    && condition.test(leader)
                    && members.stream().allMatch(id -> of(id).isIn(members, leader));
            return all ? statesOf(members) : Map.of();
        });
    }

    /** Waits until exactly these members are in one view, with any leader. */
    void awaitView(Set<String> members) throws InterruptedException {
        await("view of " + members, () -> {
            boolean all = members.stream().allMatch(id -> of(id).isIn(members, of(id).leader.leader));
            return all ? statesOf(members) : Map.of();
        });
    }

    /** Waits until this member leads at a time later than {@code afterMicros}. */
    void awaitLeading(String id, long afterMicros) throws InterruptedException {
        await(
                id + " leading",
                () -> leading.stream().anyMatch(led -> led.by.equals(id) && led.at > afterMicros)
                        ? statesOf(Set.of(id))
                        : Map.of());
    }

    /** Waits until any member leads at a time later than {@code afterMicros}. */
    void awaitLed(long afterMicros) throws InterruptedException {
        await(
                "leader",
                () -> leading.stream().anyMatch(led -> led.at > afterMicros) ? statesOf(states.keySet()) : Map.of());
    }

    private interface Observation {
        /** Returns the states of the members; empty while the condition does not hold. */
        Map<String, MemberState> observe();
    }

    private synchronized Map<String, MemberState> await(String what, Observation observation)
            throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(RingChaos.PATIENCE_MILLIS);
        while (true) {
            Map<String, MemberState> seen = observation.observe();
            if (!seen.isEmpty()) {
                return seen;
            }
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                throw new AssertionError("no " + what + " within " + RingChaos.PATIENCE_MILLIS
                        + " ms; the last lines are "
                        + all.subList(Math.max(0, all.size() - PRINTED_LINES), all.size()));
            }
            wait(left);
        }
    }

    private Map<String, MemberState> statesOf(Collection<String> ids) {
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
