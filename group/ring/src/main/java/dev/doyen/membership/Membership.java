package dev.doyen.membership;

import java.time.Duration;
import java.util.Optional;

/**
 * Reports which processes of a group are present, and sends messages to each of them.
 *
 * <p>Several elections may use one membership. Each has its own topic and receives only the messages of that topic.
 *
 * <p><b>Views.</b> A member installs views one after another. Two members that install a view of the same
 * {@link ViewId} install the same members. A member may miss a view, and may receive it later than another member.
 * After a partition each side has its own views. Their numbers may repeat, but their ids do not. A view that lacks this
 * member means that the others have removed it.
 *
 * <p><b>Messages.</b> While sender and receiver stay in each other's views, each message of a topic arrives once, and
 * in the order of sending. Otherwise messages may be lost. A message may overtake a view. So the installed view may not
 * contain its sender yet, or may no longer contain it. The membership vouches for the sender as far as its security
 * settings allow.
 *
 * <p><b>All members take part in each election.</b> An observer takes part too. If a member of the view does not take
 * part in an election, the ring of that election does not close.
 *
 * <p><b>Threads.</b> Every method may be called from any thread. {@link #send} never blocks. Listeners run on a thread
 * of the membership, one call at a time for all topics. They must return at once.
 */
public interface Membership extends AutoCloseable {

    /** Maximum length of a message. The longest one carries a saved state of 64 KiB. */
    int MAX_MESSAGE_BYTES = 80 * 1024;

    /** Maximum number of topics. */
    int MAX_TOPICS = 1_000;

    /** Returns this process as a member, always the same. A process that joins again is another member. */
    Member me();

    /**
     * Takes part in a topic until the membership ends.
     *
     * <p>The listener first receives the installed view, if there is one. Then it receives the messages of this topic
     * that came before this call. The membership keeps at most {@value Subscriptions#MAX_KEPT} of them for all topics,
     * and drops the oldest first.
     *
     * @param topic 1 to 255 characters, no control characters
     * @throws IllegalStateException if the topic has or had a listener, because a member cannot take back its earlier
     *     messages; or if {@value #MAX_TOPICS} topics have one
     */
    void listen(String topic, MembershipListener listener);

    /**
     * Sends a message to one member, which may be this one.
     *
     * @return false if the message was not sent, because no known view contains the receiver, too many messages wait,
     *     or the membership has ended. True does not mean that it arrives
     * @throws IllegalArgumentException if the message has more than {@value #MAX_MESSAGE_BYTES} bytes
     */
    boolean send(Member to, String topic, byte[] message);

    /**
     * Returns how long a silent member stays in the view at most. Empty if that is unknown.
     *
     * <p>An election rejects durations with which one silent member could cost the leader its term (rule R13).
     */
    default Optional<Duration> silence() {
        return Optional.empty();
    }

    /**
     * Leaves the group, so that the others need no failure detector to notice.
     *
     * <p>Blocks for a few seconds at most. Close the elections first, because a leader must stop before it leaves.
     */
    @Override
    void close();
}
