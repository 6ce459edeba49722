package dev.doyen.testkit;

import dev.doyen.store.LeaseStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class FileLeaseStoreTest extends LeaseStoreContract {

    @TempDir
    Path directory;

    @Override
    protected LeaseStore open() {
        return LeaseStore.open("file:" + directory.resolve("made/on/demand"));
    }

    @Override
    protected boolean makeUnreadable(String name) throws IOException {
        Files.write(directory.resolve("made/on/demand/" + name + ".lease"), new byte[] {(byte) 0xff, (byte) 0xfe});
        return true;
    }
}
