package dev.doyen.stores.quorum;

/**
 * An exception thrown if the quorum rejects a change of members. The message is for users: it contains the reason and, if
 * there is a remedy, what to do.
 */
public final class MemberChangeRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    MemberChangeRefusedException(String why) {
        super(why);
    }
}
