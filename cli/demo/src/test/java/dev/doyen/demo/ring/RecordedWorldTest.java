package dev.doyen.demo.ring;

import static dev.doyen.group.settings.RingAlgorithm.CHANG_ROBERTS;
import static dev.doyen.group.settings.RingAlgorithm.PETERSON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.demo.ring.RecordedEvent.Fate;
import dev.doyen.group.settings.RingAlgorithm;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that the message counts match the theory. After each fault, the members must reach the state that the rules
 * require.
 */
class RecordedWorldTest {

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6})
    void chang_roberts_sends_exactly_the_messages_of_the_theory_in_every_order(int n) {
        long sum = 0;
        long least = Long.MAX_VALUE;
        long most = 0;
        for (List<Integer> order : orders(n)) {
            Recording recording = RecordedWorld.run(quiet(order, CHANG_ROBERTS));
            long contest = count(recording, "elect");
            assertThat(count(recording, "elected")).isEqualTo(n);
            assertThat(sent(recording)).as("the members send no other messages").hasSize((int) contest + n);
            assertThat(leader(recording)).isEqualTo(n);
            sum += contest;
            least = Math.min(least, contest);
            most = Math.max(most, contest);
        }
        assertThat(sum).as("the sum over all orders is n! n H(n)").isEqualTo(n * factorialTimesHarmonic(n));
        assertThat(least).isEqualTo(2L * n - 1);
        assertThat(most).isEqualTo(n * (n + 1L) / 2);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6})
    void peterson_stays_within_its_bound_in_every_order(int n) {
        long most = 0;
        long least = Long.MAX_VALUE;
        for (List<Integer> order : orders(n)) {
            Recording recording = RecordedWorld.run(quiet(order, PETERSON));
            long contest = count(recording, "compare");
            assertThat(count(recording, "chosen")).isLessThan(n);
            assertThat(leader(recording)).isEqualTo(n);
            most = Math.max(most, contest);
            least = Math.min(least, contest);
        }
        assertThat(most).isLessThanOrEqualTo(2L * n * (31 - Integer.numberOfLeadingZeros(n)) + n);
        assertThat(least).isEqualTo(3L * n);
    }

    @ParameterizedTest
    @CsvSource({"worst, 36", "best, 15"})
    void the_orders_worst_and_best_send_the_most_and_the_fewest_messages(String order, long contest) {
        var plan = RecordingParameters.of(Map.of("n", "8", "order", order));
        assertThat(count(RecordedWorld.run(plan), "elect")).isEqualTo(contest);
    }

    @Test
    void equal_plans_give_equal_recordings_and_other_seeds_give_other_recordings() {
        var query = Map.of("n", "16", "fault", "cut", "seed", "7");
        String one = RecordingJson.of(RecordedWorld.run(RecordingParameters.of(query)));
        var other = new HashMap<>(query);
        other.put("seed", "8");

        assertThat(RecordingJson.of(RecordedWorld.run(RecordingParameters.of(query))))
                .isEqualTo(one);
        assertThat(RecordingJson.of(RecordedWorld.run(RecordingParameters.of(other))))
                .isNotEqualTo(one);
    }

    @Test
    void the_members_have_the_requested_order() {
        Recording recording = RecordedWorld.run(RecordingParameters.of(Map.of("order", "2,5,1,4,3")));
        List<RecordedEvent.Sent> first =
                sent(recording).stream().filter(sent -> sent.atMillis() == 0).toList();
        assertThat(first).extracting(RecordedEvent.Sent::number).containsExactly(2, 5, 1, 4, 3);
        assertThat(first).extracting(RecordedEvent.Sent::to).containsExactly(1, 2, 3, 4, 0);
    }

    @ParameterizedTest
    @EnumSource(RecordingFault.class)
    void all_live_members_finally_know_one_leader_after_each_fault(RecordingFault fault) {
        for (RingAlgorithm algorithm : RingAlgorithm.values()) {
            for (int n : new int[] {2, 3, 5, 8, 13}) {
                for (int when = 1; when < n; when++) {
                    RecordingParameters plan = plan(n, algorithm, fault, n, when, when);
                    Recording recording = RecordedWorld.run(plan);
                    assertThat(recording.whole()).as("%s", plan).isTrue();
                    assertThat(finalLeaders(recording)).as("%s", plan).hasSize(1);
                    assertEachMessageEndsOnce(recording);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(RecordingFault.class)
    void the_longest_recordings_are_far_below_the_limit(RecordingFault fault) {
        int n = RecordingParameters.MOST_MEMBERS;
        for (RingAlgorithm algorithm : RingAlgorithm.values()) {
            List<Integer> worst =
                    IntStream.rangeClosed(1, n).mapToObj(i -> n + 1 - i).toList();
            Recording recording = RecordedWorld.run(new RecordingParameters(worst, algorithm, fault, n, n - 1, 1));
            assertThat(recording.whole()).isTrue();
            assertThat(sent(recording).size()).isLessThan(RecordedWorld.MAX_MESSAGES * 3 / 4);
            assertThat(RecordingJson.of(recording).length()).isLessThan(1_000_000);
        }
    }

    @Test
    void only_the_token_of_the_winner_is_lost_and_it_wins_after_a_retry() {
        for (int when = 1; when < 8; when++) {
            Recording recording = RecordedWorld.run(plan(8, CHANG_ROBERTS, RecordingFault.LOST, 8, when, when));
            List<RecordedEvent.Ended> lost = ended(recording, Fate.LOST);
            assertThat(lost).hasSize(1);
            RecordedEvent.Sent message = sent(recording).get(lost.get(0).id());
            assertThat(message.number()).isEqualTo(8);
            assertThat(message.atMillis()).isEqualTo(when * RecordedWorld.HOP_MILLIS);
            assertThat(count(recording, "retry")).isGreaterThanOrEqualTo(8);
            assertThat(leader(recording)).isEqualTo(8);
        }
    }

    @Test
    void a_lost_message_ends_the_round_of_peterson() {
        Recording recording = RecordedWorld.run(plan(8, PETERSON, RecordingFault.LOST, 8, 3, 1));
        assertThat(ended(recording, Fate.LOST)).hasSize(1);
        assertThat(sent(recording)).extracting(RecordedEvent.Sent::round).contains(0L, 1L);
        assertThat(leader(recording)).isEqualTo(8);
    }

    @Test
    void if_the_winner_crashes_the_next_member_wins_in_a_view_without_it() {
        Recording recording = RecordedWorld.run(plan(8, CHANG_ROBERTS, RecordingFault.CRASH, 8, 4, 1));
        assertThat(leaders(recording)).containsExactly(7);
        assertThat(ended(recording, Fate.LOST)).isNotEmpty();
        assertThat(sent(recording)).extracting(RecordedEvent.Sent::view).contains(1L, 2L);
    }

    @Test
    void another_member_leads_in_the_next_term_after_the_leader_was_killed() {
        Recording recording = RecordedWorld.run(plan(8, CHANG_ROBERTS, RecordingFault.KILLED, 8, 4, 1));
        assertThat(leaders(recording)).containsExactly(8, 7);
        assertThat(all(recording, RecordedEvent.Leads.class))
                .extracting(RecordedEvent.Leads::term)
                .containsExactly(1L, 2L);
    }

    @ParameterizedTest
    @EnumSource(names = {"CUT", "SPLIT"})
    void two_members_lead_during_a_partition_and_the_later_term_remains(RecordingFault fault) {
        for (int seed = 0; seed < 20; seed++) {
            Recording recording = RecordedWorld.run(plan(9, CHANG_ROBERTS, fault, 9, 4, seed));
            List<Integer> leaders = leaders(recording);
            assertThat(leaders).hasSize(2);
            List<RecordedEvent.StepsDown> down = all(recording, RecordedEvent.StepsDown.class);
            assertThat(down).hasSize(1);
            assertThat(number(recording, down.get(0).member())).isEqualTo(leaders.get(0));
            assertThat(down.get(0).atMillis())
                    .isGreaterThan(
                            all(recording, RecordedEvent.Healed.class).get(0).atMillis());
            assertThat(finalLeaders(recording)).containsExactly(leaders.get(1));
        }
    }

    @Test
    void a_token_that_arrives_before_its_view_is_stored_and_forwarded_later() {
        int held = 0;
        for (int seed = 0; seed < 50; seed++) {
            Recording recording = RecordedWorld.run(plan(8, CHANG_ROBERTS, RecordingFault.KILLED, 8, 4, seed));
            held += ended(recording, Fate.HELD).size();
        }
        assertThat(held).isPositive();
    }

    private static RecordingParameters quiet(List<Integer> order, RingAlgorithm algorithm) {
        return new RecordingParameters(order, algorithm, RecordingFault.NONE, order.size(), 1, 1);
    }

    private static RecordingParameters plan(
            int n, RingAlgorithm algorithm, RecordingFault fault, int who, int when, long seed) {
        List<Integer> numbers = IntStream.rangeClosed(1, n).boxed().toList();
        return new RecordingParameters(new SeededRandom(seed).shuffled(numbers), algorithm, fault, who, when, seed);
    }

    private static void assertEachMessageEndsOnce(Recording recording) {
        var ids = all(recording, RecordedEvent.Ended.class).stream()
                .map(RecordedEvent.Ended::id)
                .toList();
        assertThat(ids).doesNotHaveDuplicates();
        assertThat(sent(recording))
                .extracting(RecordedEvent.Sent::id)
                .isEqualTo(IntStream.range(0, sent(recording).size()).boxed().toList())
                .containsAll(ids);
    }

    private static <T extends RecordedEvent> List<T> all(Recording recording, Class<T> kind) {
        return recording.events().stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    private static List<RecordedEvent.Sent> sent(Recording recording) {
        return all(recording, RecordedEvent.Sent.class);
    }

    private static long count(Recording recording, String kind) {
        return sent(recording).stream().filter(sent -> sent.kind().equals(kind)).count();
    }

    private static List<RecordedEvent.Ended> ended(Recording recording, Fate fate) {
        return all(recording, RecordedEvent.Ended.class).stream()
                .filter(ended -> ended.fate() == fate)
                .toList();
    }

    private static int number(Recording recording, int place) {
        return recording.plan().numbers().get(place);
    }

    private static List<Integer> leaders(Recording recording) {
        return all(recording, RecordedEvent.Leads.class).stream()
                .map(leads -> number(recording, leads.member()))
                .toList();
    }

    private static int leader(Recording recording) {
        assertThat(leaders(recording)).hasSize(1);
        return leaders(recording).get(0);
    }

    /** Returns the leaders that the live members report at the end, without duplicates. */
    private static List<Integer> finalLeaders(Recording recording) {
        var known = new HashMap<Integer, Optional<Integer>>();
        all(recording, RecordedEvent.LeaderKnown.class).forEach(event -> known.put(event.member(), event.leader()));
        all(recording, RecordedEvent.Crashed.class).forEach(crashed -> known.remove(crashed.member()));
        int alive = recording.plan().n()
                - all(recording, RecordedEvent.Crashed.class).size();
        assertThat(known).hasSize(alive);
        return known.values().stream()
                .map(leader -> number(recording, leader.orElseThrow()))
                .distinct()
                .toList();
    }

    private static List<List<Integer>> orders(int n) {
        var found = new ArrayList<List<Integer>>();
        permute(new ArrayList<>(), n, found);
        return found;
    }

    private static void permute(List<Integer> begun, int n, List<List<Integer>> found) {
        if (begun.size() == n) {
            found.add(List.copyOf(begun));
        }
        for (int next = 1; next <= n; next++) {
            if (!begun.contains(next)) {
                begun.add(next);
                permute(begun, n, found);
                begun.remove(/* index */ begun.size() - 1);
            }
        }
    }

    /** Returns n! H(n), which is a whole number. H(n) is the n-th harmonic number. */
    private static long factorialTimesHarmonic(int n) {
        long factorial = IntStream.rangeClosed(1, n).asLongStream().reduce(1, (a, b) -> a * b);
        return IntStream.rangeClosed(1, n).mapToLong(k -> factorial / k).sum();
    }
}
