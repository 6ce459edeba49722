package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.SavedState;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.LeaseWrite;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LeaseTableTest {

    /** A member can receive the parts of one snapshot from several leaders. */
    @Test
    void tables_with_the_same_records_have_the_same_parts() {
        var first = new LeaseTable();
        // The names of the same length have the same hash code. So their order in a hash map depends on the order of
        // insertion.
        List<LeaseWrite> writes = Stream.of("AaAa", "AaBB", "BBAa", "BBBB", "AaAaAa", "AaAaBB", "BBBBAa", "BBBBBB")
                .map(LeaseTableTest::write)
                .toList();
        first.apply(1, writes, changed -> {});
        var second = new LeaseTable();
        second.install(reversed(first.snapshot()), changed -> {});
        var third = new LeaseTable();
        third.install(second.snapshot(), changed -> {});

        assertThat(first.snapshot()).hasSizeGreaterThan(1);
        assertThat(second.read("BBBB")).isEqualTo(first.read("BBBB"));
        assertThat(second.snapshot()).containsExactlyElementsOf(first.snapshot());
        assertThat(third.snapshot()).containsExactlyElementsOf(first.snapshot());
    }

    @Test
    void the_size_follows_new_longer_and_shorter_records() {
        var table = new LeaseTable();
        assertThat(table.bytes()).isZero();
        for (int length : List.of(10, 1_000, 5)) {
            for (String election : List.of("a", "b")) {
                var record = LeaseRecords.record(election, "holder", 1, SavedState.of(new byte[length]));
                table.apply(length, List.of(new LeaseWrite(table.read(election).version(), record)), changed -> {});
                assertThat(table.bytes()).isEqualTo(bytes(table.snapshot()));
            }
        }
        var copy = new LeaseTable();
        copy.install(table.snapshot(), changed -> {});
        copy.install(table.snapshot(), changed -> {});
        assertThat(copy.bytes()).isEqualTo(table.bytes());
    }

    private static long bytes(List<byte[]> parts) {
        return parts.stream().mapToLong(part -> part.length).sum();
    }

    private static List<byte[]> reversed(List<byte[]> parts) {
        List<byte[]> reversed = new ArrayList<>();
        parts.forEach(each -> reversed.add(0, each));
        return reversed;
    }

    private static LeaseWrite write(String election) {
        return new LeaseWrite(
                LeaseVersion.ABSENT,
                LeaseRecords.record(election, "holder", 1, SavedState.of(new byte[SavedState.MAX_BYTES])));
    }
}
