package dev.doyen.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.Moment;
import dev.doyen.event.SavedState;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests rule L12: when a lease under a session is free. */
class ObservedRecordTest {

    private static final String SESSION = "~session/2";

    private final ObservedRecord seenAt5 =
            ObservedRecord.NONE.seeing(underSession(), new Moment(5, 1_700_000_000_000L));

    @Test
    void a_lease_is_free_when_the_end_of_its_session_was_read() {
        assertThat(seenAt5.freeAt(session(3, true, 9)))
                .as("the session has not ended")
                .isEmpty();
        assertThat(seenAt5.freeAt(session(4, false, 3))).hasValue(5);
        assertThat(seenAt5.freeAt(session(4, false, 9))).hasValue(9);
    }

    @Test
    void a_session_that_is_held_in_a_higher_epoch_has_ended() {
        assertThat(seenAt5.freeAt(session(4, true, 9))).hasValue(5);
    }

    @Test
    void the_local_session_lasts_two_deadlines_after_the_send_of_its_last_renewal() {
        var leaderLease = new LeaderLease(Stage.ME, 4, new Moment(100, 0), Duration.ofNanos(8), SavedState.EMPTY);
        var sessions = new Sessions(Optional.of(OwnSession.of(SESSION, leaderLease)), Map.of());
        assertThat(sessions.of(SESSION)).contains(new ObservedSession(4, true, 116));
        assertThat(sessions.of("~session/3")).isEmpty();
    }

    @Test
    void a_session_without_a_record_is_silent_a_ttl_after_that_read() {
        ObservedRecord absent = ObservedRecord.NONE.seeing(VersionedLease.ABSENT, new Moment(5, 0));
        assertThat(absent.asSession(Duration.ofNanos(10))).contains(new ObservedSession(0, true, 15));
    }

    @Test
    void an_older_record_of_a_session_does_not_end_its_epoch() {
        ObservedRecord held = ObservedRecord.NONE.seeing(Stage.heldBy(Stage.OTHER, 5, "v2"), new Moment(5, 0));
        ObservedRecord stale = held.seeing(Stage.released(4, "v1"), new Moment(7, 0));
        ObservedSession session = stale.asSession(Duration.ofNanos(10)).orElseThrow();
        assertThat(session.hasEnded(4)).isTrue();
        assertThat(session.hasEnded(5)).isFalse();
        assertThat(session).as("it is silent a ttl after that read").isEqualTo(new ObservedSession(5, true, 17));
        ObservedRecord released = stale.seeing(Stage.released(5, "v3"), new Moment(9, 0));
        assertThat(released.asSession(Duration.ofNanos(10)).orElseThrow().hasEnded(5))
                .isTrue();
    }

    private static Sessions session(long term, boolean running, long freeAtNanos) {
        return new Sessions(Optional.empty(), Map.of(SESSION, new ObservedSession(term, running, freeAtNanos)));
    }

    private static VersionedLease underSession() {
        return Stage.heldUnder(new LeaseRecord.Epoch(SESSION, 3), LeaseNotes.NONE);
    }
}
