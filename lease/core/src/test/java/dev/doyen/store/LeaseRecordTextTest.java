package dev.doyen.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.event.LossCause;
import dev.doyen.event.SavedState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests the text format of lease records, as docs/spec/lease-record.md defines it. */
class LeaseRecordTextTest {

    private static final LeaseRecord RECORD = new LeaseRecord(
            "orders",
            "n1",
            "n1-1",
            8,
            "n1-1.41",
            Duration.ofSeconds(10),
            Instant.EPOCH,
            Instant.EPOCH,
            SavedState.ofText("row 5"),
            3,
            Optional.of(new LeaseRecord.Epoch("~session/4", 12)),
            LeaseNotes.NONE.withSuccessor(Optional.of(new LeaseNotes.Successor("n2", Duration.ofSeconds(5)))));

    @Test
    void a_written_record_is_read_back() {
        assertThat(LeaseRecordText.read(LeaseRecordText.write(RECORD))).isEqualTo(RECORD);
    }

    @Test
    void a_past_term_has_its_author_on_separate_lines() { // M4
        var resigned = new LeaseNotes.PastTerm(
                7, "n 2", Instant.EPOCH, Instant.EPOCH, LossCause.RESIGNED, "alice: ops", "moving: \"now\"");
        var expired = new LeaseNotes.PastTerm(6, "n 1", Instant.EPOCH, Instant.EPOCH, LossCause.EXPIRED);
        LeaseRecord record = RECORD.noting(RECORD.notes().withPast(expired).withPast(resigned), "control.1");
        String text = LeaseRecordText.write(record);

        assertThat(text).contains("\npast-1-by: alice: ops\npast-1-reason: moving: \"now\"\npast-2: 6 ");
        assertThat(text).doesNotContain("past-2-");
        assertThat(LeaseRecordText.read(text)).isEqualTo(record);
    }

    @Test
    void the_epoch_has_its_term_and_the_name_of_its_session_on_one_line() { // L12
        assertThat(LeaseRecordText.write(RECORD)).contains("\nepoch: 12 ~session/4\n");
        assertThatThrownBy(() -> LeaseRecordText.read(edited("epoch: 12 ~session/4", "epoch: 12")))
                .hasMessage("the epoch is not \"term session\": 12");
    }

    @Test
    void a_record_with_the_highest_possible_term_is_rejected() {
        assertThat(LeaseRecordText.read(edited("term: 8", "term: 9007199254740990"))
                        .term())
                .isEqualTo(9_007_199_254_740_990L);
        assertThatThrownBy(() -> LeaseRecordText.read(edited("term: 8", "term: 9007199254740991")))
                .hasMessage("term is 9007199254740991; it is at most 9007199254740990");
        assertThatThrownBy(() -> LeaseRecordText.readStored(
                        "the file x", "orders", edited("term: 8", "term: " + Long.MAX_VALUE)))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageStartingWith("the file x is not a lease record: term is " + Long.MAX_VALUE);
    }

    @Test
    void a_record_with_the_highest_possible_state_version_is_rejected() {
        assertThatThrownBy(() -> LeaseRecordText.read(edited("state-version: 3", "state-version: " + Long.MAX_VALUE)))
                .hasMessage("state-version is " + Long.MAX_VALUE + "; it is at most 9007199254740990");
    }

    @Test
    void a_record_with_the_highest_possible_term_of_an_epoch_is_rejected() {
        String highest = edited("epoch: 12 ~session/4", "epoch: " + Long.MAX_VALUE + " ~session/4");
        assertThatThrownBy(() -> LeaseRecordText.readStored("the file x", "orders", highest))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageStartingWith("the file x is not a lease record: the term of the epoch is " + Long.MAX_VALUE
                        + "; it is at most 9007199254740990");
    }

    @Test
    void times_out_of_range_are_clamped() {
        LeaseRecord read = LeaseRecordText.read(edited("ttl-millis: 10000", "ttl-millis: " + Long.MAX_VALUE));
        assertThat(read.ttl()).isEqualTo(LeaseRecord.NON_EXPIRING_TTL);
        assertThat(read.ttl().toNanos()).isPositive();
        LeaseRecord patient = LeaseRecordText.read(
                edited("successor-delay-millis: 5000", "successor-delay-millis: " + Long.MAX_VALUE));
        assertThat(patient.notes().successor().orElseThrow().delay()).isEqualTo(Duration.ofHours(1));
    }

    private static String edited(String line, String by) {
        String text = LeaseRecordText.write(RECORD);
        assertThat(text).contains("\n" + line + "\n");
        return text.replace("\n" + line + "\n", "\n" + by + "\n");
    }
}
