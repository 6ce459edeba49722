package dev.doyen.driver;

import java.util.concurrent.atomic.LongAdder;

/** What a {@link MembershipLoop} could not do since it began. Threads: any may read; numbers only rise. */
public final class MembershipTally {

    private final LongAdder unsent = new LongAdder();
    private final LongAdder unread = new LongAdder();
    private final LongAdder untaken = new LongAdder();

    MembershipTally() {}

    /** Messages that the membership did not take. */
    public long notSent() {
        return unsent.sum();
    }

    /** Messages that could not be read. */
    public long notRead() {
        return unread.sum();
    }

    /** Messages that came faster than they could be taken. */
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
