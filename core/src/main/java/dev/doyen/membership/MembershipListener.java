package dev.doyen.membership;

/** Hears of one topic of a {@link Membership}, on its thread: must return at once. What it throws is logged. */
public interface MembershipListener {

    /** A view is installed from now on. */
    void installed(View view);

    /**
     * A message came.
     *
     * @param message the receiver's to keep
     */
    void received(Member from, byte[] message);

    /** The membership has ended, by {@link Membership#close} or by itself. Nothing comes after this. */
    void ended();
}
