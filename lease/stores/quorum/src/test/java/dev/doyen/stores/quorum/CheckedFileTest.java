package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckedFileTest {

    private static final String NAME = "journal";

    @TempDir
    Path directory;

    private final RecordedDisk disk = new RecordedDisk();

    @Test
    void records_are_read_in_order() throws IOException {
        Disk real = new DirectoryDisk(directory);
        try (var file = CheckedFile.create(real, NAME, List.of(bytes("a"), bytes("")))) {
            file.append(bytes("b"));
            file.append(bytes("c"));
            file.force();
        }
        try (var file = CheckedFile.open(real, NAME)) {
            assertThat(texts(file)).containsExactly("a", "", "b", "c");
            file.append(bytes("d"));
            file.force();
        }
        try (var file = CheckedFile.open(real, NAME)) {
            assertThat(texts(file)).containsExactly("a", "", "b", "c", "d");
            file.replace(List.of(bytes("e")));
            file.append(bytes("f"));
            file.force();
        }
        try (var file = CheckedFile.open(real, NAME)) {
            assertThat(texts(file)).containsExactly("e", "f");
        }
    }

    @Test
    void a_record_that_was_not_forced_is_not_written() throws IOException {
        CheckedFile file = CheckedFile.create(disk, NAME, List.of());
        file.append(bytes("a"));

        assertThat(texts(CheckedFile.open(disk, NAME))).isEmpty();
    }

    @Test
    void a_replacement_replaces_records_that_were_not_forced() throws IOException {
        CheckedFile file = CheckedFile.create(disk, NAME, List.of());
        file.append(bytes("a"));
        file.replace(List.of(bytes("b")));
        file.append(bytes("c"));
        file.force();

        assertThat(texts(CheckedFile.open(disk, NAME))).containsExactly("b", "c");
    }

    @Test
    void the_length_includes_records_that_are_not_written_yet() throws IOException {
        CheckedFile file = CheckedFile.create(disk, NAME, List.of(bytes("a")));
        assertThat(file.length()).isEqualTo(onDisk().length);

        file.append(new byte[1_000]);
        assertThat(file.length()).isGreaterThan(onDisk().length + 1_000);

        file.force();
        assertThat(file.length()).isEqualTo(onDisk().length);

        file.replace(List.of());
        assertThat(file.length()).isEqualTo(onDisk().length).isLessThan(100);
    }

    @Test
    void a_batch_torn_at_any_byte_is_removed() throws IOException {
        CheckedFile file = CheckedFile.create(disk, NAME, List.of(bytes("first")));
        file.append(bytes("second"));
        file.force();
        int confirmed = onDisk().length;
        file.append(bytes("third"));
        file.append(bytes("fourth"));
        file.force();
        byte[] all = onDisk();

        for (int length = confirmed; length < all.length; length++) {
            assertThat(texts(Arrays.copyOf(all, length)))
                    .as("torn at byte %d", length)
                    .containsExactly("first", "second");
        }
        assertThat(texts(all)).containsExactly("first", "second", "third", "fourth");
    }

    @Test
    void a_flipped_bit_is_found_at_any_position() throws IOException {
        CheckedFile file = CheckedFile.create(disk, NAME, List.of(bytes("first"), bytes("second")));
        file.append(bytes("third"));
        file.force();
        int last = onDisk().length;
        file.append(bytes("fourth"));
        file.append(bytes("fifth"));
        file.force();
        byte[] all = onDisk();

        for (int i = 0; i < all.length * Byte.SIZE; i++) {
            byte[] flipped = all.clone();
            flipped[i / Byte.SIZE] ^= (byte) (1 << i % Byte.SIZE);
            if (i / Byte.SIZE < last) {
                assertThatThrownBy(() -> texts(flipped)).as("bit %d", i).isInstanceOf(DamagedFileException.class);
            } else {
                assertThat(texts(flipped)).as("bit %d", i).containsExactly("first", "second", "third");
            }
        }
    }

    @Test
    void a_last_record_that_was_durable_is_not_removed() throws IOException {
        CheckedFile.create(disk, NAME, List.of(bytes("vote")));
        byte[] all = onDisk();
        all[all.length - 1] ^= 1;

        assertThatThrownBy(() -> texts(all)).isInstanceOf(DamagedFileException.class);
        assertThatThrownBy(() -> texts(Arrays.copyOf(all, all.length - 1))).isInstanceOf(DamagedFileException.class);
    }

    @Test
    void the_message_about_damage_has_the_file_the_place_and_the_remedy() throws IOException {
        CheckedFile.create(disk, NAME, List.of(bytes("vote")));
        byte[] all = onDisk();
        all[all.length - 1] ^= 1;

        assertThatThrownBy(() -> texts(all))
                .hasMessageContaining("/disk/journal is damaged at byte ")
                .hasMessageContaining("data that the disk had confirmed is missing")
                .hasMessageContaining("move the directory away");
    }

    @Test
    void a_file_of_another_kind_is_not_a_journal() {
        for (String text : List.of("", "doyen", "doyen-quorum 2\n" + "x".repeat(100), "x".repeat(100))) {
            assertThatThrownBy(() -> texts(bytes(text)))
                    .isInstanceOf(DamagedFileException.class)
                    .hasMessageContaining("not a journal of this version of Doyen");
        }
    }

    /** After a crash, a block of the disk can contain bytes of an earlier file. */
    @Test
    void a_batch_of_an_earlier_file_does_not_count() throws IOException {
        CheckedFile file = CheckedFile.create(disk, NAME, List.of(bytes("a")));
        int end = onDisk().length;
        file.append(bytes("old"));
        file.force();
        byte[] old = onDisk();
        file.replace(List.of(bytes("a")));
        byte[] next = onDisk();
        assertThat(next).hasSize(end);

        byte[] mixed = Arrays.copyOf(next, old.length);
        System.arraycopy(old, end, mixed, end, old.length - end);

        assertThat(texts(mixed)).containsExactly("a");
    }

    @Test
    void a_batch_in_another_place_does_not_count() throws IOException {
        CheckedFile file = CheckedFile.create(disk, NAME, List.of(bytes("a")));
        int end = onDisk().length;
        file.append(bytes("b"));
        file.force();
        byte[] all = onDisk();
        byte[] twice = Arrays.copyOf(all, all.length + all.length - end);
        System.arraycopy(all, end, twice, all.length, all.length - end);

        assertThat(texts(twice)).containsExactly("a", "b");
    }

    @Test
    void records_are_durable_before_they_are_returned() throws IOException {
        CheckedFile file = CheckedFile.create(disk, NAME, List.of());
        file.append(bytes("a"));
        file.force();
        int before = disk.operations();

        CheckedFile.open(disk, NAME);

        List<byte[]> left = new ArrayList<>();
        disk.losses(RecordedDisk.Detail.SOME, NAME, (count, files) -> {
            if (count == disk.operations()) {
                left.add(files.get(NAME));
            }
        });
        assertThat(disk.operations()).isGreaterThan(before);
        assertThat(left).hasSize(1);
    }

    @Test
    void large_records_are_written_and_read() throws IOException {
        Disk real = new DirectoryDisk(directory);
        List<byte[]> records = new ArrayList<>();
        for (int size : List.of(64 << 10, 256 << 10, 1 << 20, (1 << 20) + 1, 3 << 20, CheckedFile.MAX_RECORD)) {
            var record = new byte[size];
            Arrays.fill(record, (byte) size);
            record[size / 2] = 1;
            records.add(record);
        }
        try (var file = CheckedFile.create(real, NAME, records)) {
            for (byte[] each : records) {
                file.append(each);
            }
            file.force();
        }
        try (var file = CheckedFile.open(real, NAME)) {
            List<byte[]> found = file.records();
            assertThat(found).hasSize(2 * records.size());
            for (int i = 0; i < found.size(); i++) {
                assertThat(Arrays.equals(found.get(i), records.get(i % records.size())))
                        .isTrue();
            }
        }
    }

    /**
     * If several batches were not durable, a crash could tear each of them. Then a valid batch after a torn batch
     * would be reported as damage.
     */
    @Test
    void a_batch_is_written_after_the_previous_one_is_durable() throws IOException {
        CheckedFile file = CheckedFile.create(disk, NAME, List.of());
        for (int i = 0; i < 5; i++) {
            file.append(new byte[600_000]);
        }
        file.force();

        Map<Integer, Set<Integer>> found = new TreeMap<>();
        disk.losses(RecordedDisk.Detail.SOME, NAME, (count, files) -> {
            if (files.containsKey(NAME)) {
                found.computeIfAbsent(count, each -> new TreeSet<>())
                        .add(texts(files.get(NAME)).size());
            }
        });
        assertThat(found.values()).allMatch(each -> each.size() <= 2);
        assertThat(texts(onDisk())).hasSize(5);
    }

    @Test
    void a_longer_record_is_rejected() throws IOException {
        CheckedFile file = CheckedFile.create(disk, NAME, List.of());

        assertThatThrownBy(() -> file.append(new byte[CheckedFile.MAX_RECORD + 1]))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("at most " + CheckedFile.MAX_RECORD);
        assertThatThrownBy(() -> file.replace(List.of(new byte[CheckedFile.MAX_RECORD + 1])))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("at most " + CheckedFile.MAX_RECORD);
    }

    @Test
    void a_closed_file_is_not_written() throws IOException {
        CheckedFile file = CheckedFile.create(disk, NAME, List.of(bytes("a")));
        file.close();
        int operations = disk.operations();

        assertThatThrownBy(() -> file.append(bytes("b"))).hasMessageContaining("/disk/journal is closed");
        assertThatThrownBy(file::force).hasMessageContaining("/disk/journal is closed");
        assertThatThrownBy(() -> file.replace(List.of())).hasMessageContaining("/disk/journal is closed");
        assertThat(disk.operations()).isEqualTo(operations);
    }

    private byte[] onDisk() {
        return disk.files().get(NAME);
    }

    private static List<String> texts(byte[] file) {
        try {
            return texts(CheckedFile.open(new RecordedDisk(Map.of(NAME, file)), NAME));
        } catch (IOException e) {
            throw sneaky(e);
        }
    }

    private static List<String> texts(CheckedFile file) {
        return file.records().stream().map(PersistentState::text).toList();
    }

    /** Throws the exception without a wrapper, so that tests can check its type. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> RuntimeException sneaky(IOException e) throws T {
        throw (T) e;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
