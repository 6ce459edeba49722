package dev.doyen.membership;

/**
 * Receives the views of a {@link Membership} and the messages of one topic.
 *
 * <p>Runs on the membership's thread and must return at once. Exceptions are logged.
 */
public interface MembershipListener {

    /** A view has been installed. */
    void installed(View view);

    /**
     * A message has arrived.
     *
     * @param message owned by the receiver
     */
    void received(Member from, byte[] message);

    /** The membership has ended, by {@link Membership#close} or by itself. This is the last call. */
    void ended();
}
