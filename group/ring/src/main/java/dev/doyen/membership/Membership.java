package dev.doyen.membership;

import java.time.Duration;
import java.util.Optional;

/**
 * Reports the present processes of a group, and sends messages to each process.
 *
 * <p>Several elections may use one membership. Each listener has its own topic and receives only the messages of that
 * topic.
 *
 * <p><b>Views.</b> A member installs views one after another. If two members install views with the same
 * {@link ViewId}, these views contain the same members. A member can miss a view, and can receive it later than another
 * member. After a partition, each side has its own views. The two sides can use the same view number, but never the
 * same view id. If a view does not contain this member, the other members have removed it.
 *
 * <p><b>Messages.</b> While sender and receiver stay in each other's views, each message that {@link #send} has
 * accepted arrives once, and the messages of a topic arrive in the order of sending. Otherwise messages can be lost.
 * Messages are not ordered relative to views. So a message can arrive before the view that adds its sender, or after
 * the view that removes its sender. The security settings of the membership determine how reliably the membership
 * identifies the sender.
 *
 * <p><b>All members must take part in each election</b>, at least as observers. If a member of the view does not take
 * part, the messages of that election cannot travel around the ring.
 *
 * <p><b>Threads.</b> Every method may be called from any thread. {@link #send} never blocks. Listeners run on a thread
 * of the membership, or on a thread that calls {@link #listen} or {@link #close}. All listeners together receive one
 * call at a time. The listeners must return at once.
 */
public interface Membership extends AutoCloseable {

    /** Maximum length of a message. The longest message contains a saved state of 64 KiB. */
    int MAX_MESSAGE_BYTES = 80 * 1024;

    /** Maximum number of topics. */
    int MAX_TOPICS = 1_000;

    /** Returns this process as a member. The member never changes. A process that joins again is a different member. */
    Member me();

    /**
     * Takes part in a topic until the membership ends.
     *
     * <p>The listener first receives the installed view, if a view is installed. Then the listener receives the
     * messages of this topic that arrived before this call. The membership stores at most
     * {@value Subscriptions#MAX_KEPT} such messages for all topics. It drops the oldest messages first.
     *
     * @param topic the topic; 1 to 255 characters, no control characters
     * @throws IllegalStateException if the topic already has a listener; or if {@value #MAX_TOPICS} topics already have
     *     a listener
     */
    void listen(String topic, MembershipListener listener);

    /**
     * Sends a message to one member, which can be this member itself.
     *
     * @return false if the message was not sent, because no known view contains the receiver, too many messages wait,
     *     or the membership has ended. The value true does not guarantee that the message arrives
     * @throws IllegalArgumentException if the message has more than {@value #MAX_MESSAGE_BYTES} bytes
     */
    boolean send(Member to, String topic, byte[] message);

    /**
     * Returns the maximum time for which a silent member stays in the view. The result is empty if that time is
     * unknown.
     *
     * <p>An election rejects durations with which one silent member could end the leader's term (rule R13).
     */
    default Optional<Duration> silence() {
        return Optional.empty();
    }

    /**
     * Leaves the group. The other members learn of the departure without their failure detectors.
     *
     * <p>Blocks for a few seconds at most. Close the elections first, because a leader must stop before it leaves.
     */
    @Override
    void close();
}
