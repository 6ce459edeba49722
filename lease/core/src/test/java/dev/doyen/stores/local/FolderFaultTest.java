package dev.doyen.stores.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreRefusedException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that stores in folders report missing rights, and other failures as temporary. */
class FolderFaultTest {

    /** No user, not even root, can create a file here. */
    private static final Path DENIED = Path.of("/sys/kernel");

    @TempDir
    Path folder;

    static Stream<Function<Path, LeaseStore>> stores() {
        return Stream.of(FileLeaseStore::open, SharedFolderLeaseStore::open);
    }

    @Test
    void a_denied_access_is_a_missing_right_with_its_remedy() {
        var fault = FolderFault.ofRead("x", folder, new AccessDeniedException("f"));
        assertThat(fault)
                .isInstanceOf(StoreRefusedException.class)
                .hasMessage("the lease of \"x\" cannot be read: java.nio.file.AccessDeniedException: f; give this user"
                        + " the right to read and write " + folder + " and its files");
    }

    @Test
    void any_other_failure_is_temporary() {
        assertThat(FolderFault.ofRead("x", folder, new IOException("input/output error")))
                .isNotInstanceOf(StoreRefusedException.class)
                .hasMessage("the lease of \"x\" cannot be read: java.io.IOException: input/output error");
        assertThat(FolderFault.ofRead("x", folder.resolve("absent"), new IOException("y")))
                .isNotInstanceOf(StoreRefusedException.class);
    }

    @Test
    void a_write_to_a_directory_without_the_right_is_rejected() throws IOException {
        Path leases = folder.resolve("leases");
        try (LeaseStore store = FileLeaseStore.open(leases)) {
            assertRejectedIn(leases, store);
        }
    }

    @Test
    void a_write_to_a_shared_folder_without_the_right_is_rejected() throws IOException {
        Path leases = folder.resolve("leases");
        try (LeaseStore store = SharedFolderLeaseStore.open(leases)) {
            assertThat(store.compareAndSet("orders", LeaseVersion.ABSENT, FileLeaseStoreFaultsTest.record(1)))
                    .isInstanceOf(CasOutcome.Written.class);
            assertRejectedIn(leases.resolve("orders"), store);
        }
    }

    private void assertRejectedIn(Path written, LeaseStore store) throws IOException {
        assumeThat(DENIED).as("only Linux has this directory").isDirectory();
        Files.move(written, folder.resolve("elsewhere"));
        Files.createSymbolicLink(written, DENIED);
        assertThat(store.compareAndSet("orders", LeaseVersion.ABSENT, FileLeaseStoreFaultsTest.record(1)))
                .isInstanceOfSatisfying(CasOutcome.Unknown.class, outcome -> {
                    assertThat(outcome.refused()).as(outcome.reason()).isTrue();
                    assertThat(outcome.reason()).startsWith("the lease of \"orders\" could not be written: ");
                });
    }

    @ParameterizedTest
    @MethodSource("stores")
    void a_write_to_a_deleted_folder_fails_temporarily(Function<Path, LeaseStore> open) throws IOException {
        Path leases = folder.resolve("leases");
        try (LeaseStore store = open.apply(leases)) {
            Files.move(leases, folder.resolve("elsewhere"));
            Files.writeString(leases, "in the way");
            assertThat(store.compareAndSet("orders", LeaseVersion.ABSENT, FileLeaseStoreFaultsTest.record(1)))
                    .isInstanceOfSatisfying(
                            CasOutcome.Unknown.class,
                            outcome -> assertThat(outcome.refused())
                                    .as(outcome.reason())
                                    .isFalse());
        }
    }
}
