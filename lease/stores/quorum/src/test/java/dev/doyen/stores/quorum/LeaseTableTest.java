package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.doyen.event.LossCause;
import dev.doyen.event.SavedState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LeaseTableTest {

    /** A member can receive the parts of one snapshot from several leaders. */
    @Test
    void tables_with_the_same_records_have_the_same_parts() {
        var first = new LeaseTable();
        // The names of the same length have the same hash code. So their order in a hash map depends on the order of
        // insertion.
        List<LeaseStore.Write> writes = Stream.of(
                        "AaAa", "AaBB", "BBAa", "BBBB", "AaAaAa", "AaAaBB", "BBBBAa", "BBBBBB")
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
                table.apply(
                        length,
                        List.of(new LeaseStore.Write(table.read(election).version(), record)),
                        changed -> {});
                assertThat(table.bytes()).isEqualTo(bytes(table.snapshot()));
            }
        }
        var copy = new LeaseTable();
        copy.install(table.snapshot(), changed -> {});
        copy.install(table.snapshot(), changed -> {});
        assertThat(copy.bytes()).isEqualTo(table.bytes());
    }

    @Test
    void the_growth_of_a_larger_saved_state_includes_its_encoding_and_the_notes() {
        var table = new LeaseTable();
        table.apply(1, List.of(write(table, "a", SavedState.EMPTY, LeaseNotes.NONE)), changed -> {});
        long before = table.bytes();
        List<LeaseStore.Write> larger = List.of(write(table, "a", SavedState.of(new byte[900]), longNotes()));
        long growth = table.growth(larger);
        table.apply(2, larger, changed -> {});

        assertThat(growth).isCloseTo(table.bytes() - before, within(100L));
    }

    @Test
    void past_terms_are_left_out_while_the_records_exceed_their_limit() {
        var table = new LeaseTable();
        var state = SavedState.of(new byte[SavedState.MAX_BYTES]);
        int elections = 0;
        while (true) {
            List<LeaseStore.Write> next = List.of(write(table, "e" + elections, state, LeaseNotes.NONE));
            if (table.bytes() + table.growth(next) > LeaseTable.MAX_BYTES) {
                break;
            }
            table.apply(++elections, next, changed -> {});
        }
        for (int i = 0; i < elections; i++) {
            List<LeaseStore.Write> longer = List.of(write(table, "e" + i, state, longNotes()));
            assertThat(table.growth(longer)).isZero();
            assertThat(table.apply(elections + 1 + i, longer, changed -> {}))
                    .allMatch(CasOutcome.Written.class::isInstance);
        }

        long oneRecord = 20_000;
        assertThat(table.bytes()).isBetween(LeaseTable.MAX_BYTES, LeaseTable.MAX_BYTES + oneRecord);
        LeaseRecord last = table.read("e" + (elections - 1)).record().orElseThrow();
        assertThat(last.notes().past()).isEmpty();
        assertThat(last.notes().pause()).isPresent();
        assertThat(last.state()).isEqualTo(state);

        table.apply(1_000, List.of(write(table, "e0", SavedState.EMPTY, LeaseNotes.NONE)), changed -> {});
        table.apply(1_001, List.of(write(table, "e0", SavedState.EMPTY, longNotes())), changed -> {});
        assertThat(table.read("e0").record().orElseThrow().notes()).isEqualTo(longNotes());
    }

    private static LeaseStore.Write write(LeaseTable table, String election, SavedState state, LeaseNotes notes) {
        LeaseRecord record = LeaseRecords.record(election, "holder", 1, state).noting(notes, "nonce");
        return new LeaseStore.Write(table.read(election).version(), record);
    }

    /** Returns notes with a pause and many past terms, of 16,000 to 20,000 bytes. */
    private static LeaseNotes longNotes() {
        String longName = "n".repeat(255);
        LeaseNotes notes = LeaseNotes.NONE.withPause(Optional.of(new LeaseNotes.Pause("admin", "", Instant.EPOCH)));
        for (int term = 1; term <= LeaseNotes.MAX_PAST; term++) {
            notes = notes.withPast(new LeaseNotes.PastTerm(
                    term, longName, Instant.EPOCH, Instant.EPOCH, LossCause.RESIGNED, longName, longName));
        }
        return notes;
    }

    private static long bytes(List<byte[]> parts) {
        return parts.stream().mapToLong(part -> part.length).sum();
    }

    private static List<byte[]> reversed(List<byte[]> parts) {
        List<byte[]> reversed = new ArrayList<>();
        parts.forEach(each -> reversed.add(0, each));
        return reversed;
    }

    private static LeaseStore.Write write(String election) {
        return new LeaseStore.Write(
                LeaseVersion.ABSENT,
                LeaseRecords.record(election, "holder", 1, SavedState.of(new byte[SavedState.MAX_BYTES])));
    }
}
