package dev.doyen.hub.server.claims;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StoreDiskTest {

    @TempDir
    Path folder;

    @Test
    void a_directory_with_free_space_has_no_fault() {
        assertThat(StoreDisk.of("file:" + folder).fault()).isEmpty();
    }

    @Test
    void a_directory_that_is_gone_is_reported() throws Exception {
        StoreDisk disk = StoreDisk.of("file://" + folder);
        Files.delete(folder);

        assertThat(disk.fault()).contains("the directory of the store, " + folder + ", cannot be written");
    }

    @Test
    void a_nearly_full_disk_is_reported() {
        assertThat(StoreDisk.fault(folder, StoreDisk.MIN_FREE_BYTES)).isEmpty();
        assertThat(StoreDisk.fault(folder, StoreDisk.MIN_FREE_BYTES - 1))
                .hasValueSatisfying(fault -> assertThat(fault).contains("has 16777215 free bytes"));
    }

    @Test
    void other_stores_have_no_local_disk() {
        assertThat(StoreDisk.of("memory:").fault()).isEmpty();
        assertThat(StoreDisk.of("jdbc:postgresql://db/app").fault()).isEmpty();
    }
}
