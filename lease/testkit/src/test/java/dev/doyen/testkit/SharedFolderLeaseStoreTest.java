package dev.doyen.testkit;

import dev.doyen.store.LeaseStore;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class SharedFolderLeaseStoreTest extends LeaseStoreContract {

    @RegisterExtension
    static final StoreLine LINE = new StoreLine("shared-file", "contract");

    @TempDir
    static Path directory;

    @Override
    protected LeaseStore open() {
        LeaseStore store = LeaseStore.open("shared-file:" + directory);
        LINE.found("shared-file (hard links on this machine)", store.promises());
        return store;
    }
}
