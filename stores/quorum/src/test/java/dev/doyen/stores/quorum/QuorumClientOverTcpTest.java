package dev.doyen.stores.quorum;

import dev.doyen.store.LeaseStore;
import dev.doyen.testkit.LeaseStoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The contract of all stores, by clients of three members with directories on a disk and sealed TCP between all. */
@Timeout(300)
class QuorumClientOverTcpTest extends LeaseStoreContract {

    @TempDir
    static Path folder;

    private static MembersOnDisk members;

    @BeforeAll
    static void start() {
        members = new MembersOnDisk(folder).startAll();
    }

    @AfterAll
    static void stop() {
        members.close();
    }

    /** Each opening is another client, at a member by chance. */
    @Override
    protected LeaseStore open() {
        return QuorumLeaseStore.open(members.clientSettings());
    }
}
