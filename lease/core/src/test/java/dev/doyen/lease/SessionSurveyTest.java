package dev.doyen.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.Moment;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests rule L12.3: which session records a process fences, and when. */
class SessionSurveyTest {

    private static final Duration TTL = Stage.TIMING.ttl();
    private static final Moment START = new Moment(1_000, 1_700_000_000_000L);

    private final SessionSurvey survey = SessionSurvey.NONE
            .seeing(Map.of("~session/1", held(3, "a")), START)
            .seeing(
                    Map.of("~session/2", held(7, "b"), "~session/3", Stage.released(2, "c")),
                    after(Duration.ofSeconds(1)));

    @Test
    void held_records_are_surveyed_until_their_holder_writes_again() {
        assertThat(survey.sessions()).containsExactlyInAnyOrder("~session/1", "~session/2");
        assertThat(survey.without(Set.of("~session/1")).sessions()).containsExactly("~session/2");
        assertThat(survey.seeing(Map.of("~session/2", held(7, "b2")), after(TTL))
                        .sessions())
                .containsExactly("~session/1");
        assertThat(survey.seeing(Map.of("~session/2", held(7, "b")), after(TTL)).sessions())
                .hasSize(2);
    }

    @Test
    void the_first_record_is_silent_a_ttl_after_its_read() {
        assertThat(survey.silentAtNanos(after(Duration.ofSeconds(2))))
                .hasValue(after(TTL).nanos());
        assertThat(SessionSurvey.NONE.silentAtNanos(START)).isEmpty();
    }

    @Test
    void a_record_that_was_silent_for_its_ttl_is_fenced_in_a_higher_term() {
        assertThat(survey.fences(after(TTL.minusNanos(1)), "me", TTL)).isEmpty();
        assertThat(survey.fences(after(TTL), "me", TTL)).singleElement().satisfies(fence -> {
            assertThat(fence.expected()).isEqualTo(new LeaseVersion("a"));
            assertThat(fence.next().election()).isEqualTo("~session/1");
            assertThat(fence.next().term()).isEqualTo(4);
            assertThat(fence.next().isHeld()).isFalse();
        });
    }

    @Test
    void fences_in_one_batch_have_different_nonces() {
        List<LeaseStore.Write> fences = survey.fences(after(TTL.plusSeconds(1)), "me", TTL);
        assertThat(fences).hasSize(2);
        assertThat(fences)
                .extracting(LeaseStore.Write::next)
                .extracting(LeaseRecord::nonce)
                .doesNotHaveDuplicates()
                .allMatch(nonce -> nonce.startsWith("me."));
    }

    private static VersionedLease held(long term, String version) {
        return Stage.heldBy(Stage.OTHER, term, version);
    }

    private static Moment after(Duration time) {
        return new Moment(START.nanos() + time.toNanos(), START.wallMillis() + time.toMillis());
    }
}
