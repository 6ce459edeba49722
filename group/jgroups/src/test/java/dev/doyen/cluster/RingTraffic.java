package dev.doyen.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.membership.MalformedMessageException;
import dev.doyen.membership.Member;
import dev.doyen.membership.Membership;
import dev.doyen.membership.MembershipListener;
import dev.doyen.membership.View;
import dev.doyen.membership.ViewId;
import dev.doyen.ring.Key;
import dev.doyen.ring.RingMessage;
import dev.doyen.ring.RingWire;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Counts the election messages and elected messages in round 0 of each view.
 *
 * <p>With {@code allBeginFirst}, this class delivers the messages of a view only after all members of the view have
 * sent their own keys. The theory predicts an exact count only if all keys are sent before any message arrives.
 *
 * <p>Threads: any.
 */
final class RingTraffic {

    private static final long PATIENCE_SECONDS = 60;

    private final boolean allBeginFirst;
    private final Map<ViewId, Contest> contests = new HashMap<>();

    RingTraffic(boolean allBeginFirst) {
        this.allBeginFirst = allBeginFirst;
    }

    /** Round 0 of a view: the members that have sent their keys, and the numbers of sent messages. */
    static final class Contest {
        final View view;
        final Set<Member> installed = new HashSet<>();
        final Set<Member> announcedLeader = new HashSet<>();
        final Map<Member, Key> begun = new HashMap<>();
        int elects;
        int again;
        int electedMessages;
        private final List<Runnable> kept = new ArrayList<>();

        private Contest(View view) {
            this.view = view;
        }

        int size() {
            return view.members().size();
        }

        boolean haveAllBegun() {
            return begun.size() == size();
        }

        /**
         * Returns the number of messages that the algorithm of Chang and Roberts needs. Each key travels to the first
         * member with a greater key, and the greatest key travels around the whole ring.
         */
        int byHand() {
            int sum = 0;
            for (Member each : view.members()) {
                Member at = view.after(each);
                int hops = 1;
                while (!at.equals(each) && begun.get(at).compareTo(begun.get(each)) < 0) {
                    at = view.after(at);
                    hops++;
                }
                sum += hops;
            }
            return sum;
        }

        @Override
        public String toString() {
            return "n = " + size() + ": " + begun.size() + " began, " + elects + " ELECT and " + again + " sent again, "
                    + electedMessages + " ELECTED";
        }
    }

    /** Returns a membership that sends through the given membership and counts the messages. */
    Membership of(Membership membership) {
        return new Counted(membership);
    }

    /**
     * Waits until a view has this number of members and its elected message has travelled around the ring.
     *
     * @return the counts of round 0
     */
    Contest awaitElection(int members) throws InterruptedException {
        return await(members, contest -> contest.electedMessages >= members);
    }

    /**
     * Waits until a view has this number of members and each of them has sent an elected message or a heartbeat in the
     * view.
     */
    void awaitView(int members) throws InterruptedException {
        await(members, contest -> contest.announcedLeader.size() == members);
    }

    private synchronized Contest await(int members, Predicate<Contest> condition) throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (true) {
            for (Contest each : contests.values()) {
                if (each.size() == members && each.installed.size() == members && condition.test(each)) {
                    return each;
                }
            }
            long left = until - System.nanoTime();
            assertThat(left)
                    .as("a view of " + members + " members is counted; the counts are " + contests.values())
                    .isPositive();
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }

    private synchronized void installed(Member by, View view) {
        contests.computeIfAbsent(view.id(), id -> new Contest(view)).installed.add(by);
        notifyAll();
    }

    private synchronized void sent(Member by, RingMessage message) {
        Contest contest = contests.get(message.view());
        if (contest == null || !(message instanceof RingMessage.OfRound of)) {
            return;
        }
        if (message instanceof RingMessage.OfLeader) {
            contest.announcedLeader.add(by);
            notifyAll();
        }
        if (of.round() != 0) {
            return;
        }
        if (message instanceof RingMessage.Elect elect) {
            if (elect.attempt() > 1) {
                contest.again++;
            } else {
                contest.elects++;
                if (elect.key().member().equals(by)) {
                    contest.begun.put(by, elect.key());
                }
            }
        } else if (message instanceof RingMessage.Elected) {
            contest.electedMessages++;
        }
        if (contest.haveAllBegun()) {
            contest.kept.forEach(Runnable::run);
            contest.kept.clear();
        }
        notifyAll();
    }

    private synchronized void arrived(RingMessage message, Runnable delivery) {
        Contest contest = contests.get(message.view());
        if (allBeginFirst && contest != null && !contest.haveAllBegun()) {
            contest.kept.add(delivery);
        } else {
            delivery.run();
        }
    }

    private static RingMessage read(byte[] message) {
        try {
            return RingWire.read(message);
        } catch (MalformedMessageException e) {
            throw new AssertionError("a member sent bytes that are not a message of the ring", e);
        }
    }

    private final class Counted implements Membership {
        private final Membership membership;

        Counted(Membership membership) {
            this.membership = membership;
        }

        @Override
        public Member me() {
            return membership.me();
        }

        @Override
        public boolean send(Member to, String topic, byte[] message) {
            // The message is counted first, because it can arrive before send returns.
            sent(me(), read(message));
            return membership.send(to, topic, message);
        }

        @Override
        public void listen(String topic, MembershipListener listener) {
            membership.listen(topic, new MembershipListener() {
                @Override
                public void installed(View view) {
                    RingTraffic.this.installed(me(), view);
                    listener.installed(view);
                }

                @Override
                public void received(Member from, byte[] message) {
                    arrived(read(message), () -> listener.received(from, message));
                }

                @Override
                public void ended() {
                    listener.ended();
                }
            });
        }

        @Override
        public void close() {
            membership.close();
        }
    }
}
