package dev.doyen.server.quorumdemo.driver;

import dev.doyen.server.quorumdemo.MemberReport.Raft;
import dev.doyen.store.LeaseStore;

/** The member of a quorum that this process is. Threads: any. */
interface OwnMember {

    /**
     * Makes this process a member.
     *
     * @throws dev.doyen.store.StoreUnavailableException if its directory or its address cannot be used
     */
    static OwnMember open(MemberArguments arguments) {
        return QuorumStoreMember.open(arguments);
    }

    /** The leases that the quorum keeps. */
    LeaseStore store();

    /** What the member knows, without a message. */
    Raft status();

    /** Drops all messages from and to the other members. */
    void disconnect();

    void reconnect();

    /** Makes the process of this address a member. Waits until it votes. */
    void add(String address);

    /** Goes on without the member of this address. Waits until that is confirmed. */
    void remove(String address);
}
