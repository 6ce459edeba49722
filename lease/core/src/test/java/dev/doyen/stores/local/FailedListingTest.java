package dev.doyen.stores.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.store.StoreUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the stores in directories whose listing fails after its last entry. */
class FailedListingTest {

    @TempDir
    Path directory;

    @BeforeEach
    void resolve() throws IOException {
        directory = directory.toRealPath();
        Files.createDirectory(directory.resolve("orders"));
    }

    @Test
    void a_file_store_is_not_opened() {
        assertThatThrownBy(() -> FileLeaseStore.open(FailingListing.of(directory)))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessage("the lease directory " + directory + " cannot be written (IOException: "
                        + FailingListing.MESSAGE + "); name a directory that this user may create and write");
    }

    @Test
    void a_shared_folder_is_not_opened() {
        assertThatThrownBy(() -> SharedFolderLeaseStore.open(FailingListing.of(directory)))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessage("the shared folder " + directory + " cannot be used (IOException: "
                        + FailingListing.MESSAGE + "); name a folder on a file system with hard links that this user"
                        + " may create and write");
    }

    @Test
    void old_files_are_not_deleted() throws IOException {
        try (var lock = DirectoryLock.of(directory)) {
            var pruning = new FilePruning(FailingListing.of(directory), new LeaseFolder(directory), lock);
            assertThatThrownBy(() -> pruning.prune(Instant.MAX, Instant.MAX))
                    .isInstanceOf(IOException.class)
                    .hasMessage(FailingListing.MESSAGE);
        }
        assertThat(directory.resolve("orders")).exists();
    }

    @Test
    void the_files_of_a_folder_are_unknown() {
        var folder = new LeaseFolder(FailingListing.of(directory));
        assertThatThrownBy(folder::revisions).isInstanceOf(IOException.class).hasMessage(FailingListing.MESSAGE);
        assertThatThrownBy(() -> folder.named("o"))
                .isInstanceOf(IOException.class)
                .hasMessage(FailingListing.MESSAGE);
    }
}
