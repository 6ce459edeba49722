package dev.doyen.group;

import dev.doyen.membership.Member;
import dev.doyen.membership.Membership;
import dev.doyen.membership.MembershipListener;
import dev.doyen.membership.Subscriptions;
import dev.doyen.membership.View;
import dev.doyen.membership.ViewId;
import dev.doyen.testkit.ManualThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A set of memberships in one process. A test controls the network between them.
 *
 * <p>The test can partition the members, drop messages and delay messages. The cluster is deterministic.
 * {@link ManualThreads} decides when time passes and when the tasks run.
 *
 * <p>While no {@link #drop} is in effect, the cluster guarantees exactly what {@link Membership} guarantees. The two
 * sides of a partition can use the same view numbers. If a test sets a {@linkplain #delay delay}, a message can arrive
 * after a later view.
 *
 * <p>Threads: only the test's own thread.
 */
public final class FakeCluster {

    private final ManualThreads threads;
    private final Map<Member, FakeMembership> members = new LinkedHashMap<>();
    private final Map<Member, Integer> sides = new HashMap<>();
    private final Map<Link, Long> busyUntil = new HashMap<>();
    private final Set<Link> cuts = new HashSet<>();
    private Duration delay = Duration.ZERO;
    private Duration viewDelay = Duration.ZERO;
    private int starts;
    private long sent;
    private long lost;

    private record Link(Member from, Member to) {}

    public FakeCluster(ManualThreads threads) {
        this.threads = threads;
    }

    /** Adds a process. During a partition, the process joins one of the sides. Incarnations are numbered from 1. */
    public Membership join(String id) {
        var me = new Member(id, Integer.toString(++starts));
        var membership = new FakeMembership(me);
        members.put(me, membership);
        sides.put(me, sides.values().stream().findFirst().orElse(0));
        installOn(sideOf(me));
        return membership;
    }

    /**
     * Separates the given members from the other members, in both directions.
     *
     * <p>Each side installs its own view. A side without members has no view.
     */
    public void partition(Membership... apart) {
        var there = new HashSet<Member>();
        for (Membership each : apart) {
            there.add(each.me());
        }
        members.keySet().forEach(member -> sides.put(member, there.contains(member) ? 1 : 0));
        installOn(1);
        installOn(0);
    }

    /** Heals the partition. All members are in one view again. Links that {@link #drop} has cut stay cut. */
    public void merge() {
        members.keySet().forEach(member -> sides.put(member, 0));
        installOn(0);
    }

    /** Ends a process without notice. The other members install a view without this process. */
    public void kill(Membership process) {
        vanish(process);
        installOn(0);
        installOn(1);
    }

    /** Ends a process without notice. The other members do not detect the end before the next change of the view. */
    public void vanish(Membership process) {
        FakeMembership gone = members.remove(process.me());
        if (gone != null) {
            gone.gone = true;
            sides.remove(process.me());
        }
    }

    /**
     * Drops all messages from {@code from} to {@code to} that would arrive after this call. The views and the messages
     * in the other direction are not affected.
     */
    public void drop(Membership from, Membership to) {
        cuts.add(new Link(from.me(), to.me()));
    }

    /** Undoes every {@link #drop}, so that no link drops messages. */
    public void dropNothing() {
        cuts.clear();
    }

    /** Sets the delay of messages that are sent from now on. Each link delivers its messages in order. */
    public void delay(Duration each) {
        delay = each;
    }

    /** Sets the delay with which members install views that are created from now on. */
    public void viewDelay(Duration each) {
        viewDelay = each;
    }

    /** Returns the number of sent messages, including lost messages. */
    public long sent() {
        return sent;
    }

    /** Returns the number of lost messages. */
    public long lost() {
        return lost;
    }

    private int sideOf(Member member) {
        return Objects.requireNonNull(sides.get(member), "not in the cluster any more: " + member);
    }

    private List<FakeMembership> side(int number) {
        var all = new ArrayList<FakeMembership>();
        for (FakeMembership each : members.values()) {
            if (sideOf(each.me) == number) {
                all.add(each);
            }
        }
        return all;
    }

    private void installOn(int side) {
        List<FakeMembership> there = side(side);
        if (there.isEmpty()) {
            return;
        }
        Collection<Member> names = there.stream().map(each -> each.me).toList();
        View latest = there.get(0).latest;
        if (latest != null
                && Set.copyOf(latest.members()).equals(Set.copyOf(names))
                && there.stream().allMatch(each -> Objects.equals(each.latest, latest))) {
            return;
        }
        long number =
                1 + there.stream().mapToLong(FakeMembership::latestNumber).max().orElse(0);
        var view = new View(new ViewId(number, there.get(0).me.toString()), names);
        for (FakeMembership each : there) {
            each.latest = view;
            later(viewDelay, () -> each.install(view));
        }
    }

    private void later(Duration time, Runnable what) {
        threads.at(threads.now().nanos() + time.toNanos(), what);
    }

    private final class FakeMembership implements Membership {

        private final Member me;
        private final Subscriptions subscriptions = new Subscriptions();
        private @Nullable View latest;
        private boolean gone;

        FakeMembership(Member me) {
            this.me = me;
        }

        @Override
        public Member me() {
            return me;
        }

        @Override
        public void listen(String topic, MembershipListener listener) {
            subscriptions.listen(topic, listener);
        }

        @Override
        public boolean send(Member to, String topic, byte[] message) {
            Subscriptions.checkSize(to, message);
            View view = subscriptions.view().orElse(null);
            if (gone || view == null || !view.has(to)) {
                return false;
            }
            sent++;
            var link = new Link(me, to);
            byte[] copy = message.clone();
            long arrives = threads.now().nanos() + delay.toNanos();
            // A later message never overtakes an earlier one, even if its delay is shorter.
            arrives = Math.max(arrives, busyUntil.getOrDefault(link, arrives));
            busyUntil.put(link, arrives);
            threads.at(arrives, () -> arrive(link, topic, copy));
            return true;
        }

        @Override
        public void close() {
            if (gone) {
                return;
            }
            int side = sideOf(me);
            vanish(this);
            subscriptions.end();
            installOn(side);
        }

        private void arrive(Link link, String topic, byte[] message) {
            FakeMembership to = members.get(link.to);
            boolean connected = to != null && members.containsKey(link.from) && sideOf(link.to) == sideOf(link.from);
            if (to == null || !connected || cuts.contains(link)) {
                lost++;
                return;
            }
            to.subscriptions.receive(link.from, topic, message);
        }

        private void install(View view) {
            View before = subscriptions.view().orElse(null);
            if (!gone && (before == null || before.id().number() < view.id().number())) {
                subscriptions.install(view);
            }
        }

        private long latestNumber() {
            return latest == null ? 0 : latest.id().number();
        }
    }
}
