package dev.doyen.membership;

import java.time.Duration;
import java.util.Optional;

/**
 * One process in a group of processes: it is told who is there, and can send to each of them. Several elections may use
 * one membership; each has a topic of its own, so that none hears the messages of another.
 *
 * <p><b>Views.</b> A member installs views one at a time, each before the next. Two members that install a view of the same
 * {@link ViewId} install the same members. A view may be missed, and may reach one member later than another. After a
 * partition each side has views of its own; numbers may then repeat, ids do not. A view may come in which this member is
 * not: then the others have put it out.
 *
 * <p><b>Messages.</b> While sender and receiver stay in each other's views, messages of one topic arrive once, and in the
 * order of sending. Otherwise they may be lost. A message may overtake a view: it may come from a member that is not in the
 * view installed here, or not any more. Whoever {@code from} names has sent it; the membership vouches for that as far as its
 * security settings go.
 *
 * <p><b>All take part in everything.</b> A topic's elections are among all members of a view. Whoever is a member and does
 * not take part in one of them, at least as an observer, keeps its ring from closing.
 *
 * <p><b>Threads.</b> Every method may be called from any thread. {@link #send} never waits. Listeners are called on a thread
 * of the membership, one call at a time for all topics; they must return at once.
 */
public interface Membership extends AutoCloseable {

    /** Longer messages are rejected. The longest one carries a saved state of 64 KiB. */
    int MAX_MESSAGE_BYTES = 80 * 1024;

    /** More topics than this are refused. */
    int MAX_TOPICS = 1_000;

    /** Who this process is. Never changes; a process that comes back after {@link #close} is another member. */
    Member me();

    /**
     * Takes part in a topic from now on, until the membership ends. The listener is first told the view that is installed
     * now, if there is one, then the messages that came for this topic before anybody listened, as far as they were kept
     * (at most {@value Subscriptions#MAX_KEPT} for all topics, the oldest are dropped first).
     *
     * @param topic 1 to 255 characters, no control characters
     * @throws IllegalStateException if the topic has a listener already, or had one: what a member said in it cannot be
     *     taken back, so it takes part once; or if {@value #MAX_TOPICS} topics have one
     */
    void listen(String topic, MembershipListener listener);

    /**
     * Sends to one member, which may be this one.
     *
     * @return false if it was not sent, for the receiver is in no view that is known here, too much waits to be sent, or the
     *     membership has ended. True says nothing about its arrival
     * @throws IllegalArgumentException over {@value #MAX_MESSAGE_BYTES} bytes
     */
    boolean send(Member to, String topic, byte[] message);

    /**
     * Returns how long at most a member that falls silent stays in the view; empty if that is not known. An election
     * rejects durations with which one silent member would cost the leader its term.
     */
    default Optional<Duration> silence() {
        return Optional.empty();
    }

    /**
     * Leaves the group, so that the others need not find out by silence. Waits for that, for a few seconds at most. Close
     * the elections first: whoever leads stops leading before it leaves.
     */
    @Override
    void close();
}
