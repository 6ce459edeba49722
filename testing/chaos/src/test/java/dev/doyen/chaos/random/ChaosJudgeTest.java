package dev.doyen.chaos.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.chaos.random.ChaosJudge.Recovery;
import dev.doyen.chaos.random.LedgerLine.What;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests that the judge detects a violation of each rule, and accepts correct ledgers. Times are in milliseconds. */
class ChaosJudgeTest {

    private static final Duration TTL = Duration.ofSeconds(2);
    private static final Duration LIMIT = Duration.ofSeconds(4);

    private final ChaosJudge judge = new ChaosJudge(TTL);

    @Test
    void leaders_that_follow_each_other_do_not_overlap() {
        leads("p1", 1, 0, 1000);
        leads("p2", 2, 1001, 3000);
        leads("p1", 3, 3001, 4000);
        assertThat(judge.overlaps()).isEmpty();
        assertThat(judge.wrongTerms()).isEmpty();
        assertThat(judge.terms()).isEqualTo(3);
    }

    @Test
    void two_processes_that_are_certain_at_one_instant_overlap() {
        leads("p1", 1, 0, 1000);
        leads("p2", 2, 1000, 3000);
        assertThat(judge.overlaps()).singleElement().asString().contains("p1", "p2");
    }

    @Test
    void a_process_that_is_certain_before_and_after_another_leader_overlaps_it() {
        sample("p1", "a", 1, 0);
        leads("p2", 2, 100, 200);
        sample("p1", "a", 1, 300);
        assertThat(judge.overlaps()).hasSize(1);
    }

    @Test
    void a_short_term_within_a_long_one_overlaps_it_and_later_ones_do_not_hide_it() {
        leads("p1", 1, 0, 1000);
        leads("p2", 2, 100, 200);
        leads("p3", 3, 900, 2000);
        assertThat(judge.overlaps()).hasSize(2);
    }

    @Test
    void leaders_of_two_elections_do_not_overlap() {
        sample("p1", "a", 1, 0);
        sample("p2", "b", 1, 0);
        assertThat(judge.overlaps()).isEmpty();
        assertThat(judge.wrongTerms()).isEmpty();
    }

    @Test
    void one_term_of_two_processes_is_wrong() {
        leads("p1", 1, 0, 1000);
        leads("p2", 1, 2000, 3000);
        assertThat(judge.wrongTerms()).singleElement().asString().contains("one term");
        assertThat(judge.overlaps()).isEmpty();
    }

    @Test
    void a_falling_term_is_wrong() {
        leads("p1", 5, 0, 1000);
        leads("p2", 4, 2000, 3000);
        assertThat(judge.wrongTerms()).singleElement().asString().contains("decreased");
    }

    @Test
    void a_leader_receives_the_saved_count_or_a_higher_one() {
        state(What.SAVED, 1, 7);
        state(What.FOUND, 2, 7);
        state(What.SAVED, 2, 9);
        state(What.FOUND, 4, 10);
        assertThat(judge.lostStates()).isEmpty();
    }

    @Test
    void a_leader_that_receives_less_than_was_saved_has_lost_state() {
        state(What.SAVED, 1, 7);
        state(What.FOUND, 3, 6);
        assertThat(judge.lostStates()).singleElement().asString().contains("term 3 found 6", "term 1 had saved 7");
    }

    @Test
    void a_lower_save_does_not_hide_an_earlier_higher_one() {
        state(What.SAVED, 1, 7);
        state(What.SAVED, 1, 5);
        state(What.FOUND, 2, 5);
        assertThat(judge.lostStates()).hasSize(1);
    }

    @Test
    void a_recovery_counts_from_the_fault_until_the_next_leaders_first_sample() {
        leads("p1", 1, 0, 9_990);
        fault(1, 10_000, 10_000);
        leads("p2", 2, 12_100, 20_000);
        assertThat(recoveries(20_000)).singleElement().satisfies(recovery -> {
            assertThat(recovery.nanos()).isEqualTo(millis(2_100));
            assertThat(recovery.fault()).map(Fault::number).hasValue(1);
            assertThat(recovery.isLate()).isFalse();
        });
    }

    @Test
    void a_recovery_that_takes_longer_than_its_limit_is_late() {
        leads("p1", 1, 0, 9_990);
        fault(1, 10_000, 10_000);
        leads("p2", 2, 14_001, 20_000);
        assertThat(recoveries(20_000)).singleElement().matches(Recovery::isLate);
    }

    @Test
    void a_recovery_from_a_server_fault_counts_from_the_return_of_the_server() {
        leads("p1", 1, 0, 11_500);
        fault(1, 10_000, 16_000);
        leads("p2", 2, 16_300, 20_000);
        assertThat(recoveries(20_000)).extracting(Recovery::nanos).containsExactly(millis(300));
    }

    @Test
    void a_recovery_from_a_slow_line_counts_from_the_last_sample_of_the_leader() {
        leads("p1", 1, 0, 11_500);
        judge.note(new Fault(1, FaultKind.SLOW_LINE, millis(10_000), millis(10_000), LIMIT));
        leads("p2", 2, 14_001, 20_000);
        assertThat(recoveries(20_000)).singleElement().satisfies(recovery -> {
            assertThat(recovery.nanos()).isEqualTo(millis(2_501));
            assertThat(recovery.fault()).map(Fault::number).hasValue(1);
            assertThat(recovery.isLate()).isFalse();
        });
    }

    @Test
    void each_time_without_a_leader_counts_from_its_fault() {
        leads("p1", 1, 0, 9_990);
        fault(1, 10_000, 10_000);
        leads("p2", 2, 10_500, 11_000);
        leads("p3", 3, 14_500, 20_000);
        assertThat(recoveries(20_000)).extracting(Recovery::nanos).containsExactly(millis(500), millis(4_500));
        assertThat(recoveries(20_000)).extracting(Recovery::isLate).containsExactly(false, true);
    }

    @Test
    void an_election_with_a_continuous_leader_has_no_recovery() {
        leads("p1", 1, 0, 20_000);
        fault(1, 10_000, 10_000);
        assertThat(recoveries(20_000)).isEmpty();
    }

    @Test
    void a_missing_recovery_ends_with_the_run_and_is_late() {
        leads("p1", 1, 0, 10_000);
        fault(1, 10_000, 10_000);
        assertThat(recoveries(16_000)).singleElement().matches(Recovery::isLate);
    }

    @Test
    void a_recovery_belongs_to_its_cause_even_after_a_later_fault() {
        leads("p1", 1, 0, 10_000);
        fault(1, 10_000, 10_000);
        fault(2, 18_000, 18_000);
        leads("p2", 2, 18_100, 30_000);
        assertThat(recoveries(30_000)).singleElement().satisfies(recovery -> {
            assertThat(recovery.fault()).map(Fault::number).hasValue(1);
            assertThat(recovery.isLate()).isTrue();
        });
    }

    @Test
    void a_loss_long_after_the_last_fault_is_reported_separately_with_a_limit() {
        leads("p1", 1, 0, 20_000);
        fault(1, 10_000, 10_000);
        leads("p2", 2, 24_001, 30_000);
        assertThat(recoveries(30_000)).singleElement().satisfies(recovery -> {
            assertThat(recovery.fault()).isEmpty();
            assertThat(recovery.nanos()).isEqualTo(millis(4_001));
            assertThat(recovery.isLate()).isTrue();
        });
    }

    @Test
    void a_report_fails_with_two_leaders_a_late_recovery_or_no_samples() {
        assertThat(report(0).isGood()).isFalse();
        leads("p1", 1, 0, 10_000);
        fault(1, 10_000, 10_000);
        leads("p2", 2, 12_000, 20_000);
        assertThat(report(20_000).isGood()).isTrue();
        assertThat(report(20_000).table()).contains("Verdict: good");
        assertThat(report(30_000).isGood()).isFalse();
        leads("p3", 3, 19_000, 21_000);
        assertThat(report(21_000).isGood()).isFalse();
        assertThat(report(21_000).table()).contains("two leaders", "Verdict: BAD");
    }

    private ChaosReport report(long end) {
        return new ChaosReport("test", judge, millis(end), Duration.ZERO, List.of());
    }

    private List<Recovery> recoveries(long end) {
        return judge.recoveries(millis(end));
    }

    private void fault(int number, long begin, long from) {
        judge.note(new Fault(number, FaultKind.KILL, millis(begin), millis(from), LIMIT));
    }

    private void leads(String process, long term, long first, long last) {
        sample(process, "a", term, first);
        sample(process, "a", term, last);
    }

    private void sample(String process, String election, long term, long at) {
        judge.note(process, new LedgerLine(What.CERTAIN, millis(at), election, term, 1));
    }

    private void state(What what, long term, long count) {
        judge.note("p" + term, new LedgerLine(what, 0, "a", term, count));
    }

    private static long millis(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
