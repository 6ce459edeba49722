package dev.doyen.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.event.Moment;
import dev.doyen.group.settings.RingAlgorithm;
import dev.doyen.group.settings.RingTiming;
import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import dev.doyen.membership.ViewId;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Tests the bounds of the settings, and the messages about invalid values. */
class RingSettingsTest {

    private static final Duration HUGE = Duration.ofSeconds(Long.MAX_VALUE);
    private static final Member ONE = new Member("one", "1");

    @Test
    void durations_are_checked_against_each_other() {
        refused(
                () -> RingTiming.ofElectionTimeout(Duration.ofMillis(99)),
                "the election timeout is 99 ms; its bounds are 100 ms and 1 h");
        refused(
                () -> timing(801, 200, 100, 1_000),
                "the leader lease is 801 ms; at most 0.8 of the election timeout (1000 ms)");
        refused(
                () -> timing(600, 201, 100, 1_000),
                "the heartbeat interval is 201 ms; at most a third of the leader lease (600 ms)");
        refused(() -> timing(600, 200, 501, 1_000), "retry is 501 ms; at most half of the election timeout (1000 ms)");
        refused(() -> timing(600, 200, 0, 1_000), "retry is 0 ms");
        refused(() -> timing(600, 200, 100, 1_001), "keep is 1001 ms; at most the election timeout (1000 ms)");
        assertThat(timing(800, 200, 500, 1_000).leaderLease()).isEqualTo(Duration.ofMillis(800));
        Duration belowLeast = Duration.ofMillis(99);
        Duration tenth = Duration.ofMillis(10);
        refused(
                () -> new RingTiming(belowLeast, belowLeast.dividedBy(2), tenth, tenth, belowLeast),
                "the election timeout is 99 ms; its bounds are 100 ms and 1 h");
        Duration least = Duration.ofMillis(100);
        assertThat(RingTiming.ofElectionTimeout(least).electionTimeout()).isEqualTo(least);
    }

    @Test
    void a_detection_time_that_would_end_a_term_is_rejected() {
        RingTiming timing = RingTiming.ofElectionTimeout(Duration.ofSeconds(8));
        // The leader lease of 6400 ms, less a heartbeat interval of 1600 ms, less a tenth of the leader lease.
        assertThat(timing.longestSilence()).isEqualTo(Duration.ofMillis(4_160));
        timing.checkSilence(Duration.ofMillis(4_160));
        refused(
                () -> timing.checkSilence(Duration.ofMillis(4_161)),
                "a silent member stays in the view for 4161 ms, and with an election timeout of 8000 ms the limit is 4160 ms, so one"
                        + " frozen follower would end the leader's term: raise the election timeout to 8002 ms or more, or lower the detection"
                        + " time");
        RingTiming.ofElectionTimeout(Duration.ofMillis(8_002)).checkSilence(Duration.ofMillis(4_161));
        refused(() -> timing.checkSilence(HUGE), "would end the leader's term: lower the detection time");
        // A silence of 1872 s would require an election timeout of 1 h and 1 ms, which is more than the maximum of 1 h.
        refused(
                () -> timing.checkSilence(Duration.ofSeconds(1_872)),
                "would end the leader's term: lower the detection time");
    }

    @Test
    void huge_durations_are_rejected_like_others() {
        refused(
                () -> RingTiming.ofElectionTimeout(HUGE),
                "the election timeout is PT2562047788015215H30M7S; its bounds are 100 ms and 1 h");
        refused(() -> RingTiming.ofElectionTimeout(HUGE.negated()), "its bounds are 100 ms and 1 h");
        Duration second = Duration.ofSeconds(1);
        Duration tenth = Duration.ofMillis(100);
        refused(
                () -> new RingTiming(second, HUGE, tenth, tenth, second),
                "the leader lease is PT2562047788015215H30M7S; at most");
        refused(() -> new RingTiming(second, second.dividedBy(2), HUGE, tenth, second), "the heartbeat interval is PT");
        refused(() -> new RingTiming(second, second.dividedBy(2), tenth, HUGE, second), "retry is PT");
        refused(() -> new RingTiming(second, second.dividedBy(2), tenth, tenth, HUGE), "keep is PT");
        Moment now = new Moment(0, 0);
        refused(
                () -> new RingInput.Resign(now, HUGE),
                "cooldown is PT2562047788015215H30M7S; its bounds are 0 and 1 h");
        refused(() -> new RingInput.HandOver(now, "b", HUGE.negated()), "its bounds are 0 and 1 h");
    }

    @Test
    void a_priority_is_from_0_to_100() {
        RingTiming timing = RingSettings.DEFAULT.timing();
        refused(
                () -> new RingSettings(RingAlgorithm.PETERSON, timing, 101, true),
                "priority is 101; its bounds are 0 and 100");
        refused(
                () -> new RingSettings(RingAlgorithm.PETERSON, timing, -1, true),
                "priority is -1; its bounds are 0 and 100");
    }

    @Test
    void a_view_has_members_each_once() {
        refused(() -> RingStage.view(3), "has 0 members; it needs 1 to 10000");
        refused(() -> RingStage.view(3, ONE, ONE), "has the member one/1 twice");
        refused(
                () -> new View(new ViewId(1, "x"), Collections.nCopies(View.MAX_MEMBERS + 1, ONE)),
                "has 10001 members");
    }

    @Test
    void names_terms_and_cooldowns_are_limited() {
        refused(() -> new Member("", "1"), "member id is empty");
        refused(() -> new Member("a\0b", "1"), "member id has the character U+0000");
        refused(() -> new ViewId(1, ""), "view creator is empty");
        refused(() -> new Term(0, ONE), "a term has a counter from 1 and a creator");
        refused(() -> new Term(1, null), "a term has a counter from 1 and a creator");
        refused(
                () -> new RingInput.Resign(new Moment(0, 0), Duration.ofHours(2)),
                "cooldown is 7200000 ms; its bounds are 0 and 1 h");
        Duration longest = Duration.ofHours(1);
        assertThat(new RingInput.Resign(new Moment(0, 0), longest).cooldown()).isEqualTo(longest);
    }

    @Test
    void terms_are_ordered_by_counter_then_by_creator() {
        Term second = Term.NONE.next(new Member("two", "1"));
        assertThat(List.of(Term.NONE.next(ONE).next(ONE), second, Term.NONE, Term.NONE.next(ONE)).stream()
                        .sorted()
                        .toList())
                .containsExactly(Term.NONE, new Term(1, ONE), second, new Term(2, ONE));
    }

    private static RingTiming timing(long lease, long heartbeat, long retry, long keep) {
        return new RingTiming(
                Duration.ofMillis(1_000),
                Duration.ofMillis(lease),
                Duration.ofMillis(heartbeat),
                Duration.ofMillis(retry),
                Duration.ofMillis(keep));
    }

    private static void refused(ThrowingCallable what, String sentence) {
        assertThatThrownBy(what).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(sentence);
    }
}
