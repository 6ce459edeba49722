package dev.doyen.group.driver;

import java.util.concurrent.atomic.LongAdder;

/** Counts the messages that a {@link MembershipLoop} could not send, decode or process. Any thread may read it. */
public final class MembershipTally {

    private final LongAdder unsent = new LongAdder();
    private final LongAdder unread = new LongAdder();
    private final LongAdder untaken = new LongAdder();

    MembershipTally() {}

    /** Returns the number of messages that the membership did not accept. */
    public long notSent() {
        return unsent.sum();
    }

    /** Returns the number of messages that could not be decoded. */
    public long notRead() {
        return unread.sum();
    }

    /** Returns the number of messages that were dropped because too many messages or bytes waited. */
    public long notTaken() {
        return untaken.sum();
    }

    void unsent() {
        unsent.increment();
    }

    void unread() {
        unread.increment();
    }

    void untaken() {
        untaken.increment();
    }
}
