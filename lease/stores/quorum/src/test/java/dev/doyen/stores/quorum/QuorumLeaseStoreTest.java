package dev.doyen.stores.quorum;

import dev.doyen.store.LeaseStore;
import dev.doyen.testkit.LeaseStoreContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Runs the store contract on three members in memory. */
class QuorumLeaseStoreTest extends LeaseStoreContract {

    private static final MembersInMemory MEMBERS = new MembersInMemory();
    private static int opened;

    @BeforeAll
    static void aLeaderIsFound() {
        MEMBERS.store(0);
    }

    @AfterAll
    static void close() {
        MEMBERS.close();
    }

    /** Opens a store on one of the three members, in turn. */
    @Override
    protected LeaseStore open() {
        return new RepeatingStore(MEMBERS.store(opened++ % 3));
    }
}
