package dev.doyen.testkit;

import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseStores;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class FileLeaseDeletionTest extends LeaseDeletionContract {

    @TempDir
    Path directory;

    @Override
    protected LeaseStore open() {
        return LeaseStores.open("file:" + directory);
    }
}
