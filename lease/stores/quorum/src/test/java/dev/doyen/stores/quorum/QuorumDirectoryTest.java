package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.jvms.JvmProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuorumDirectoryTest {

    @TempDir
    Path temporary;

    private Path path;

    @BeforeEach
    void name() {
        path = temporary.resolve("made/quorum");
    }

    @Test
    void a_directory_is_created_and_keeps_its_id() throws IOException {
        String id = idOf(path);

        assertThat(id).matches("[0-9a-f]{32}");
        assertThat(idOf(path)).isEqualTo(id);
        assertThat(idOf(temporary.resolve("other"))).isNotEqualTo(id);
    }

    @Test
    void only_the_owner_can_read_the_directory() throws IOException {
        idOf(path);

        assertThat(permissions(path)).isEqualTo("rwx------");
        assertThat(permissions(path.resolve("journal"))).isEqualTo("rw-------");
        assertThat(permissions(path.resolve("lock"))).isEqualTo("rw-------");
    }

    @Test
    void the_journal_is_kept() throws IOException {
        try (var directory = QuorumDirectory.open(path)) {
            directory.journal().join("group", List.of());
        }
        try (var directory = QuorumDirectory.open(path)) {
            assertThat(directory.journal().group()).contains("group");
            assertThat(directory.journal().directory()).contains(directory.id());
        }
    }

    @Test
    void a_second_opening_in_this_process_is_rejected() throws IOException {
        try (var first = QuorumDirectory.open(path)) {
            assertThatThrownBy(() -> QuorumDirectory.open(path.resolve("../quorum")))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(path.toRealPath().toString())
                    .hasMessageContaining("is in use by this process")
                    .hasMessageContaining("name another directory");
            first.journal().join("group", List.of());
        }
        QuorumDirectory.open(path).close();
    }

    @Test
    void a_directory_that_could_not_be_opened_can_be_opened_later() throws IOException {
        assertThatThrownBy(() -> QuorumDirectory.open(path, directory -> {
                    throw new StackOverflowError();
                }))
                .isInstanceOf(StackOverflowError.class);
        QuorumDirectory.open(path).close();
    }

    @Test
    void another_process_is_rejected_and_the_lock_remains() throws Exception {
        try (var first = QuorumDirectory.open(path)) {
            assertThatThrownBy(() -> QuorumDirectory.open(path)).isInstanceOf(IOException.class);

            assertThat(openedByAnotherProcess())
                    .contains(path.toRealPath().toString())
                    .contains("is in use by another process")
                    .contains("name another directory");
            first.journal().join("group", List.of());
        }
        assertThat(openedByAnotherProcess()).isEqualTo("opened");
    }

    @Test
    void a_deleted_journal_is_not_a_new_directory() throws IOException {
        idOf(path);
        Files.delete(path.resolve("journal"));

        assertThatThrownBy(() -> QuorumDirectory.open(path))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(path.toRealPath() + " has lost its journal")
                .hasMessageContaining("Put the file journal back, or name a new directory");
        assertThat(path.resolve("journal")).doesNotExist();
    }

    @Test
    void a_directory_with_other_files_is_not_a_new_one() throws IOException {
        Files.createDirectories(path);
        Files.createFile(path.resolve("b.txt"));
        Files.createDirectory(path.resolve("a"));

        assertThatThrownBy(() -> QuorumDirectory.open(path))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(
                        "contains other files, but no journal of a quorum: a, b.txt. Name an empty directory");
        assertThat(path.resolve("journal")).doesNotExist();
    }

    @Test
    void a_new_volume_is_a_new_directory() throws IOException {
        Files.createDirectories(path.resolve("lost+found"));
        Files.createDirectory(path.resolve(".snapshot"));

        assertThat(idOf(path)).isNotEmpty();
    }

    @Test
    void a_crash_while_the_directory_was_new_leaves_a_new_directory() throws IOException {
        Files.createDirectories(path);
        Files.createFile(path.resolve("lock"));
        Files.writeString(path.resolve("journal.new"), "doyen-quo");

        assertThat(idOf(path)).isNotEmpty();
        assertThat(path.resolve("journal.new")).doesNotExist();
    }

    /** The last step in the creation of a directory writes the id to the lock file. */
    @Test
    void a_crash_before_the_lock_was_marked_is_repaired() throws IOException {
        String id = idOf(path);
        for (String torn : List.of("", id.substring(0, 7), "\0".repeat(32), "x".repeat(40))) {
            Files.writeString(path.resolve("lock"), torn);

            assertThat(idOf(path)).isEqualTo(id);
            assertThat(path.resolve("lock")).hasContent(id);
        }
        Files.delete(path.resolve("lock"));
        assertThat(idOf(path)).isEqualTo(id);
        assertThat(path.resolve("lock")).hasContent(id);
    }

    @Test
    void the_journal_of_another_directory_is_rejected() throws IOException {
        idOf(path);
        Path other = temporary.resolve("other");
        idOf(other);
        Files.copy(other.resolve("journal"), path.resolve("journal.copy"));
        Files.delete(path.resolve("journal"));
        Files.move(path.resolve("journal.copy"), path.resolve("journal"));

        assertThatThrownBy(() -> QuorumDirectory.open(path))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("belongs to another directory")
                .hasMessageContaining("Put the right file back, or name a new directory");
    }

    @Test
    void a_damaged_journal_is_rejected_and_not_changed() throws IOException {
        try (var directory = QuorumDirectory.open(path)) {
            directory.journal().join("group", List.of());
        }
        byte[] bytes = Files.readAllBytes(path.resolve("journal"));
        bytes[40] ^= 1;
        Files.write(path.resolve("journal"), bytes);

        assertThatThrownBy(() -> QuorumDirectory.open(path))
                .isInstanceOf(DamagedFileException.class)
                .hasMessageContaining(path.toRealPath().resolve("journal") + " is damaged at byte ")
                .hasMessageContaining("move the directory away");
        assertThat(Files.readAllBytes(path.resolve("journal"))).isEqualTo(bytes);
    }

    @Test
    void a_journal_with_unknown_records_is_rejected() throws IOException {
        idOf(path);
        CheckedFile.create(new DirectoryDisk(path), "journal", List.of(new byte[] {99}))
                .close();

        assertThatThrownBy(() -> QuorumDirectory.open(path))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("journal cannot be read")
                .hasMessageContaining("If a newer version of Doyen wrote it, use that version");
    }

    @Test
    void a_journal_without_an_id_is_rejected() throws IOException {
        idOf(path);
        CheckedFile.create(new DirectoryDisk(path), "journal", List.of()).close();

        assertThatThrownBy(() -> QuorumDirectory.open(path))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has no id of its directory")
                .hasMessageContaining("Move the directory away");
    }

    @Test
    void a_file_is_not_a_directory() throws IOException {
        Path file = Files.writeString(temporary.resolve("file"), "text");

        assertThatThrownBy(() -> QuorumDirectory.open(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("The directory " + file + " of the quorum cannot be created")
                .hasMessageContaining("choose another");
    }

    @Test
    void a_directory_without_fsync_or_rename_is_rejected() throws IOException {
        for (Fault fault : Fault.values()) {
            assertThatThrownBy(() -> QuorumDirectory.open(path, each -> new FailingDisk(each, fault)))
                    .as("new directory, failing %s", fault)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot store the journal of the quorum")
                    .hasMessageContaining(fault + " is not possible")
                    .hasMessageContaining("a file system that forces writes to the disk and renames files atomically");
        }
        idOf(path);
        for (Fault fault : Fault.values()) {
            assertThatThrownBy(() -> QuorumDirectory.open(path, each -> new FailingDisk(each, fault)))
                    .as("existing directory, failing %s", fault)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(fault + " is not possible");
        }
        QuorumDirectory.open(path).close();
    }

    @Test
    void a_closed_directory_can_be_closed_again_and_its_journal_is_not_written() throws IOException {
        QuorumDirectory first = QuorumDirectory.open(path);
        first.close();
        try (var second = QuorumDirectory.open(path)) {
            first.close();

            assertThatThrownBy(() -> QuorumDirectory.open(path)).hasMessageContaining("is in use");
            assertThatThrownBy(() -> first.journal().join("group", List.of())).isInstanceOf(IOException.class);
            second.journal().join("group", List.of());
        }
    }

    /** Opens and closes the directory in another JVM, and returns the output of that JVM. */
    private String openedByAnotherProcess() throws Exception {
        Process process = new ProcessBuilder(JvmProcess.java(
                        "-cp", System.getProperty("java.class.path"), Opener.class.getName(), path.toString()))
                .redirectErrorStream(true)
                .start();
        try {
            // Wait first, because the read has no limit. The output is so short that the process can write all of it.
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        } finally {
            process.destroyForcibly();
        }
    }

    static final class Opener {
        private Opener() {}

        public static void main(String[] args) {
            try (var directory = QuorumDirectory.open(Path.of(args[0]))) {
                System.out.println("opened");
            } catch (IOException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    private static String idOf(Path path) throws IOException {
        try (var directory = QuorumDirectory.open(path)) {
            return directory.id();
        }
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private enum Fault {
        FORCE_OF_A_FILE,
        FORCE_OF_NAMES,
        RENAME
    }

    private record FailingDisk(Disk disk, Fault fault) implements Disk {

        FailingDisk(Path path, Fault fault) {
            this(new DirectoryDisk(path), fault);
        }

        @Override
        public byte[] read(String name) throws IOException {
            return disk.read(name);
        }

        @Override
        public Output create(String name) throws IOException {
            Output output = disk.create(name);
            return new Output() {
                @Override
                public void write(byte[] bytes) throws IOException {
                    output.write(bytes);
                }

                @Override
                public void force() throws IOException {
                    failIf(Fault.FORCE_OF_A_FILE);
                    output.force();
                }

                @Override
                public void close() throws IOException {
                    output.close();
                }
            };
        }

        @Override
        public void rename(String from, String to) throws IOException {
            failIf(Fault.RENAME);
            disk.rename(from, to);
        }

        @Override
        public void force() throws IOException {
            failIf(Fault.FORCE_OF_NAMES);
            disk.force();
        }

        @Override
        public String where(String name) {
            return disk.where(name);
        }

        private void failIf(Fault now) throws IOException {
            if (now == fault) {
                throw new IOException(fault + " is not possible");
            }
        }
    }
}
