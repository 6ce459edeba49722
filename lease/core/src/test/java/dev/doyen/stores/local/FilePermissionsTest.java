package dev.doyen.stores.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.Election;
import dev.doyen.store.LeaseStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests the permissions of the directory and the files of a {@code file:} store. */
@DisabledOnOs(OS.WINDOWS)
final class FilePermissionsTest {

    @TempDir
    Path folder;

    @Test
    void a_new_directory_and_its_files_belong_to_their_owner_alone() throws Exception {
        Path directory = folder.resolve("new").resolve("leases");
        write(directory);

        assertThat(permissions(directory.getParent())).isEqualTo("rwx------");
        assertThat(permissions(directory)).isEqualTo("rwx------");
        for (String file : List.of("orders.lease", ".lock")) {
            assertThat(permissions(directory.resolve(file))).as(file).isEqualTo("rw-------");
        }
    }

    @Test
    void an_existing_directory_that_users_share_stays_shared() throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwx---"));
        write(folder);

        assertThat(permissions(folder)).isEqualTo("rwxrwx---");
        Path plain = Files.createFile(folder.resolve("plain"));
        assertThat(permissions(folder.resolve("orders.lease"))).isEqualTo(permissions(plain));
    }

    private static void write(Path directory) {
        try (LeaseStore store = FileLeaseStore.open(directory);
                var election = Election.lease("orders").store(store).open()) {
            election.control("an operator").pause("a test");
        }
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
