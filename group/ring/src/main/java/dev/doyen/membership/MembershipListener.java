package dev.doyen.membership;

/**
 * Receives the views of a {@link Membership} and the messages of one topic.
 *
 * <p>A thread of the membership, or a thread that calls a method of the membership, calls these methods. A method must
 * return at once. The membership logs exceptions.
 */
public interface MembershipListener {

    /** Called when a view has been installed. */
    void installed(View view);

    /**
     * Called when a message has arrived.
     *
     * @param message the bytes of the message; the listener may keep and change the array
     */
    void received(Member from, byte[] message);

    /**
     * Called after the membership has ended, because {@link Membership#close} was called or for another reason. This is
     * the last call.
     */
    void ended();
}
