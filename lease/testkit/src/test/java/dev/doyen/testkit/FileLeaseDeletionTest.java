package dev.doyen.testkit;

import dev.doyen.store.LeaseStore;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class FileLeaseDeletionTest extends LeaseDeletionContract {

    @TempDir
    Path directory;

    @Override
    protected LeaseStore open() {
        return LeaseStore.open("file:" + directory);
    }
}
