package dev.doyen.cli.run.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProcessTableTest {

    @TempDir
    private Path proc;

    @Test
    void a_process_name_can_contain_any_character() throws IOException {
        process(7, "7 (a) S 1 (b) R 3 4 5 0 -1 4194304 1", "");

        assertThat(table().living()).containsExactly(new ProcessEntry(7, 3, 4, 5));
    }

    @Test
    void a_zombie_has_ended() throws IOException {
        process(7, "7 (sh) Z 3 4 5 0 -1", "");
        process(8, "8 (sh) X 3 4 5 0 -1", "");
        process(9, "9 (sh) D 3 4 5 0 -1", "");

        assertThat(table().living()).extracting(ProcessEntry::pid).containsExactly(9L);
    }

    @Test
    void a_process_that_ends_between_listing_and_reading_is_left_out() throws IOException {
        process(7, "7 (sh) S 3 4 5 0 -1", "");
        Files.createDirectory(proc.resolve("8"));

        assertThat(table().living()).extracting(ProcessEntry::pid).containsExactly(7L);
    }

    @Test
    void a_mark_is_a_whole_entry_of_the_environment() throws IOException {
        process(7, "7 (sh) S 3 4 5 0 -1", "A=1\0MARK=1\0B=2\0");
        process(8, "8 (sh) S 3 4 5 0 -1", "MARK=1\0");
        process(9, "9 (sh) S 3 4 5 0 -1", "MARK=12\0");
        process(10, "10 (sh) S 3 4 5 0 -1", "XMARK=1\0");

        assertThat(table().withEnvironment("MARK=1")).containsExactlyInAnyOrder(7L, 8L);
    }

    @Test
    void the_jdk_lists_processes_without_proc() {
        var table = new ProcessTable(proc.resolve("none"));

        assertThat(table.supportsSessions()).isFalse();
        assertThat(table.living())
                .extracting(ProcessEntry::pid)
                .contains(ProcessHandle.current().pid());
        assertThat(table.withEnvironment("MARK=1")).isEmpty();
    }

    private ProcessTable table() throws IOException {
        Files.createDirectories(proc.resolve("self"));
        Files.writeString(proc.resolve("self/stat"), "");
        return new ProcessTable(proc);
    }

    private void process(long pid, String stat, String environment) throws IOException {
        var directory = Files.createDirectory(proc.resolve(Long.toString(pid)));
        Files.writeString(directory.resolve("stat"), stat);
        Files.writeString(directory.resolve("environ"), environment);
    }
}
