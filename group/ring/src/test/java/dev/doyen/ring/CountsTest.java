package dev.doyen.ring;

import static dev.doyen.group.settings.RingAlgorithm.CHANG_ROBERTS;
import static dev.doyen.group.settings.RingAlgorithm.PETERSON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.group.settings.RingAlgorithm;
import dev.doyen.membership.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that the machine sends as many messages as the theory predicts (R4, R6).
 *
 * <p>A message is counted once for each link that it crosses. All members send their keys before any message arrives,
 * and each link delivers its messages in order. Under these two conditions, the counts do not depend on which link
 * delivers next. If keys arrive before their receivers have sent their own keys, the members can send fewer messages.
 */
@Execution(ExecutionMode.CONCURRENT)
class CountsTest {

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6, 7})
    void chang_roberts_sends_exactly_the_messages_of_the_theory_in_every_order(int n) {
        var counts = new Tally();
        new Permutations(n).forEach(order -> counts.add(elect(CHANG_ROBERTS, order, null).contest));
        assertThat(counts.runs).isEqualTo(factorial(n));
        assertThat(counts.sum).as("the sum over all n! orders is n! n H(n)").isEqualTo(n * factorialTimesHarmonic(n));
        assertThat(counts.least).isEqualTo(2 * n - 1);
        assertThat(counts.most).isEqualTo(n * (n + 1) / 2);
    }

    @Test
    void chang_roberts_is_worst_with_descending_and_best_with_ascending_keys() {
        int n = 40;
        var orders = new Permutations(n);
        int[] falling = IntStream.range(0, n).toArray();
        int[] rising = IntStream.range(0, n).map(i -> n - 1 - i).toArray();
        assertThat(elect(CHANG_ROBERTS, orders.of(falling), null).contest).isEqualTo(n * (n + 1) / 2);
        assertThat(elect(CHANG_ROBERTS, orders.of(rising), null).contest).isEqualTo(2 * n - 1);
        assertThat(elect(PETERSON, orders.of(falling), null).contest).isLessThanOrEqualTo(petersonBound(n));
    }

    @ParameterizedTest
    @CsvSource({"64, 200", "256, 60", "1024, 20", "4096, 6"})
    void chang_roberts_in_random_orders_is_within_four_sigma_of_the_mean(int n, int runs) {
        var random = new Random(n);
        var counts = new Tally();
        for (int run = 0; run < runs; run++) {
            counts.add(elect(CHANG_ROBERTS, Permutations.random(n, random), null).contest);
        }
        assertThat(Math.abs(counts.mean() - n * harmonic(n)))
                .as("mean %.1f of %d runs, n H(n) = %.1f", counts.mean(), runs, n * harmonic(n))
                .isLessThan(4 * counts.deviation() / Math.sqrt(runs));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6, 7})
    void peterson_stays_within_its_bound_in_every_order(int n) {
        var counts = new Tally();
        new Permutations(n).forEach(order -> {
            QuietRing ring = elect(PETERSON, order, null);
            counts.add(ring.contest);
            assertThat(ring.contest).isEqualTo(petersonByHand(n, ranks(ring)));
        });
        assertThat(counts.most).isLessThanOrEqualTo(petersonBound(n));
        assertThat(counts.least)
                .as("the minimum is one phase and the elected message")
                .isEqualTo(3 * n);
    }

    @ParameterizedTest
    @CsvSource({"64, 50", "256, 20", "1024, 5", "4096, 2"})
    void peterson_in_random_orders_stays_within_its_bound(int n, int runs) {
        var random = new Random(n);
        for (int run = 0; run < runs; run++) {
            QuietRing ring = elect(PETERSON, Permutations.random(n, random), null);
            assertThat(ring.contest).isLessThanOrEqualTo(petersonBound(n)).isEqualTo(petersonByHand(n, ranks(ring)));
        }
    }

    @Test
    void the_schedule_does_not_change_the_counts() {
        var random = new Random(5);
        for (int run = 0; run < 200; run++) {
            List<Member> members = Permutations.random(2 + random.nextInt(30), random);
            for (RingAlgorithm algorithm : RingAlgorithm.values()) {
                assertThat(elect(algorithm, members, random.nextLong()).contest)
                        .isEqualTo(elect(algorithm, members, null).contest);
            }
        }
    }

    /**
     * Runs one election, and checks the results that every election must have.
     *
     * <p>The member with the greatest key has won, all members report it as the leader, and the elected message was
     * sent n times.
     */
    private static QuietRing elect(RingAlgorithm algorithm, List<Member> members, @Nullable Long schedule) {
        QuietRing ring = QuietRing.elect(algorithm, members, schedule);
        Member greatest = members.stream().min(Member::compareTo).orElseThrow();
        assertThat(ring.leaders).containsExactly(greatest);
        assertThat(ring.electedMessages).isEqualTo(members.size());
        assertThat(ring.chosen).isLessThan(algorithm == PETERSON ? members.size() : 1);
        Term term = Term.NONE.next(greatest);
        for (Member member : members) {
            if (!ring.state(member).leader().orElseThrow().equals(term)) {
                throw new AssertionError(member + " knows " + ring.state(member).leader() + ", not " + term);
            }
        }
        return ring;
    }

    /**
     * Returns the maximum number of messages of Peterson's algorithm. Each link carries two messages in each of at most
     * log2 n phases. At the end, n further messages are sent.
     */
    private static int petersonBound(int n) {
        return 2 * n * (31 - Integer.numberOfLeadingZeros(n)) + n;
    }

    private static long factorial(int n) {
        return n == 0 ? 1 : n * factorial(n - 1);
    }

    /** Returns n! H(n), which is an integer. */
    private static long factorialTimesHarmonic(int n) {
        return IntStream.rangeClosed(1, n).mapToLong(k -> factorial(n) / k).sum();
    }

    private static double harmonic(int n) {
        return IntStream.rangeClosed(1, n).mapToDouble(k -> 1.0 / k).sum();
    }

    /**
     * Calculates the number of messages of Peterson's algorithm, without a ring. {@code active} contains the ranks of
     * the keys in ring order. Rank 0 is the greatest key.
     */
    private static int petersonByHand(int n, List<Integer> active) {
        if (active.size() == 1) {
            return n;
        }
        var next = new ArrayList<Integer>();
        for (int i = 0; i < active.size(); i++) {
            int mine = active.get(i);
            int first = active.get((i + active.size() - 1) % active.size());
            int second = active.get((i + active.size() - 2) % active.size());
            if (first < mine && first < second) {
                next.add(first);
            }
        }
        return 2 * n + petersonByHand(n, next);
    }

    private static List<Integer> ranks(QuietRing ring) {
        return ring.view().members().stream()
                .map(member -> Integer.parseInt(member.id().substring(1)))
                .toList();
    }

    private static final class Tally {
        long runs;
        long sum;
        long squares;
        int least = Integer.MAX_VALUE;
        int most;

        void add(int count) {
            runs++;
            sum += count;
            squares += (long) count * count;
            least = Math.min(least, count);
            most = Math.max(most, count);
        }

        double mean() {
            return (double) sum / runs;
        }

        double deviation() {
            return Math.sqrt((squares - sum * mean()) / (runs - 1));
        }
    }
}
