package dev.doyen.stores.quorum;

import dev.doyen.store.LeaseStore;
import dev.doyen.testkit.LeaseStoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the store contract on three members on disk, over encrypted TCP. */
@Timeout(300)
class QuorumOverTcpTest extends LeaseStoreContract {

    @TempDir
    static Path folder;

    private static MembersOnDisk members;
    private static int opened;

    @BeforeAll
    static void start() {
        members = new MembersOnDisk(folder).startAll();
    }

    @AfterAll
    static void stop() {
        members.close();
    }

    /** Opens a store on one of the three members, in turn. */
    @Override
    protected LeaseStore open() {
        return new RepeatingStore(members.store(opened++ % 3));
    }
}
