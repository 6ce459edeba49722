package dev.doyen.ranking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.ranking.PresenceData.Presence;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is taken for what by what a presence message says (docs/spec/ranking.md, K3). */
class PresenceDataTest {

    private static Member read(@Nullable Object data, Map<String, ?> headers) {
        return PresenceData.read(new Presence("ann", "c1", 17, data, headers));
    }

    private static Member read(@Nullable Object data) {
        return read(data, Map.of());
    }

    @Test
    void what_a_member_writes_is_read_back() {
        RankingSettings settings = RankingSettings.DEFAULT.withPriority(3);
        Member leader = read(PresenceData.of(new RankingEffect.Claim(7, 5), settings), Map.of("doyen-term", 6));
        assertThat(leader.key()).isEqualTo("c1:ann");
        assertThat(leader.order()).isEqualTo(17);
        assertThat(leader.claims()).isTrue();
        assertThat(leader.term()).isEqualTo(5);
        assertThat(leader.termOfClaim()).isEqualTo(6);
        assertThat(leader.priority()).isEqualTo(3);
        assertThat(leader.eligible()).isTrue();
        assertThat(leader.seq()).hasValue(7);
        assertThat(PresenceData.of(new RankingEffect.Claim(7, 5), settings)).containsEntry("ttl", 5000L);
        Member resting = read(PresenceData.of(new RankingEffect.Follow(8, 5, false), settings));
        assertThat(resting.claims()).isFalse();
        assertThat(resting.eligible()).isFalse();
        assertThat(read(PresenceData.of(new RankingEffect.Follow(8, 5, true), settings))
                        .eligible())
                .isTrue();
    }

    @Test
    void strangers_follow_and_are_not_eligible_unless_they_say_leader() {
        for (Object data : List.of("follower", 7, true, List.of("leader"), Map.of(), Map.of("v", 2, "role", "F"))) {
            Member stranger = read(data);
            assertThat(stranger.claims()).as("%s", data).isFalse();
            assertThat(stranger.eligible()).as("%s", data).isFalse();
            assertThat(stranger.seq()).as("%s", data).isEmpty();
        }
        assertThat(read(null).claims()).isFalse();
        Member tutorial = read("leader");
        assertThat(tutorial.claims()).isTrue();
        assertThat(tutorial.termOfClaim()).isZero();
        assertThat(tutorial.eligible()).isFalse();
        assertThat(read(Map.of("role", "L", "term", 4)).termOfClaim()).isEqualTo(4);
    }

    @Test
    void a_term_that_is_no_integer_from_0_to_2_to_the_52nd_counts_as_none() {
        long most = 1L << 52;
        assertThat(read(Map.of("role", "L", "term", most)).term()).isEqualTo(most);
        assertThat(read(Map.of("role", "L", "term", 3.0)).term()).isEqualTo(3);
        for (Object nonsense : List.of(most + 1, -1, 2.5, "9", 1e300, Double.NaN, BigInteger.TWO.pow(70))) {
            assertThat(read(Map.of("role", "L", "term", nonsense)).term())
                    .as("%s", nonsense)
                    .isZero();
        }
        assertThat(read(Map.of("prio", (1L << 53), "seq", 1.5)).priority()).isZero();
        assertThat(read(Map.of("prio", -4, "seq", 1.5)).priority()).isEqualTo(-4);
        assertThat(read(Map.of("prio", -4, "seq", 1.5)).seq()).isEmpty();
    }

    @Test
    void who_holds_or_wants_another_slot_claims_nothing_here() {
        Member indexer = read(
                Map.of("v", 1, "role", "L", "slot", "indexer"), Map.of("doyen-term", 9, "doyen-slot", "indexer/1"));
        assertThat(indexer.claims()).isFalse();
        assertThat(indexer.eligible()).isFalse();
        assertThat(indexer.stamped()).isEmpty();
        Member member = read(Map.of("v", 1, "role", "F", "slot", "leader"));
        assertThat(member.eligible()).isTrue();
        var noSlot = new HashMap<String, Object>(Map.of("v", 1, "role", "L"));
        noSlot.put("slot", null);
        assertThat(read(noSlot).claims()).isTrue();
    }

    @Test
    void a_stamped_term_is_the_leaders_or_none() {
        assertThat(PresenceData.stampedTerm(Map.of("doyen-term", 9, "doyen-slot", "worker/2")))
                .isEmpty();
        assertThat(PresenceData.stampedTerm(Map.of("doyen-term", "9", "doyen-slot", "leader/1")))
                .isEqualTo(OptionalLong.of(9));
        assertThat(PresenceData.stampedTerm(Map.of("doyen-term", 9, "doyen-slot", "leader")))
                .hasValue(9);
        assertThat(PresenceData.stampedTerm(Map.of("doyen-term", 9, "doyen-slot", "leadership/1")))
                .isEmpty();
        assertThat(PresenceData.stampedTerm(Map.of("doyen-term", 9))).hasValue(9);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "1e3", "12345678901234567", "٣", "9007199254740991"})
    void digits_that_are_no_term_are_none(String digits) {
        assertThat(PresenceData.stampedTerm(Map.of("doyen-term", digits))).isEmpty();
    }

    @Test
    void what_the_hub_left_says_so_and_may_name_an_heir() {
        assertThat(read(Map.of("v", 1)).ended()).isEmpty();
        assertThat(read(Map.of("v", 1), Map.of("doyen-heir", "ben")).ended()).isEmpty();
        assertThat(read(Map.of("v", 1), Map.of("doyen-reason", "silent")).ended())
                .hasValueSatisfying(ended -> assertThat(ended.heir()).isEmpty());
        assertThat(read(Map.of("v", 1), Map.of("doyen-reason", "transferred", "doyen-heir", "ben"))
                        .ended())
                .hasValueSatisfying(ended -> assertThat(ended.heir()).hasValue("ben"));
    }
}
