package dev.doyen.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.Fencing;
import dev.doyen.cli.doctor.Check.Verdict;
import dev.doyen.election.LeaseTiming;
import dev.doyen.store.LeaseStore;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StoreChecksTest {

    private static final LeaseTiming TEN_SECONDS = LeaseTiming.ofTtl(Duration.ofSeconds(10));

    @Test
    void durable_terms_are_ok() {
        assertThat(promises(true, Fencing.REQUIRED)).extracting(Check::verdict).containsOnly(Verdict.OK);
    }

    @Test
    void volatile_terms_are_an_error_only_if_fencing_is_required() {
        assertThat(verdict(promises(false, Fencing.BEST_EFFORT), "terms")).isEqualTo(Verdict.WARN);
        assertThat(verdict(promises(false, Fencing.REQUIRED), "terms")).isEqualTo(Verdict.FAIL);
    }

    @Test
    void each_remark_is_reported_with_the_severity_of_the_promise() {
        assertThat(remarks(true)).extracting(Check::sentence).containsExactly("first", "second");
        assertThat(remarks(true)).extracting(Check::verdict).containsOnly(Verdict.OK);
        assertThat(remarks(false)).extracting(Check::verdict).containsOnly(Verdict.WARN);
    }

    @Test
    void each_fault_of_conformance_is_an_error() {
        assertThat(StoreChecks.conformance(List.of()))
                .singleElement()
                .extracting(Check::verdict)
                .isEqualTo(Verdict.OK);
        assertThat(StoreChecks.conformance(List.of("it lies", "it forgets")))
                .allMatch(check -> check.verdict() == Verdict.FAIL)
                .extracting(Check::sentence)
                .containsExactly("it lies", "it forgets");
    }

    /** With a ttl of 10 s, the request timeout is 2 s. */
    @Test
    void a_call_must_take_less_than_half_the_request_timeout() {
        assertThat(timing(10, 999).verdict()).isEqualTo(Verdict.OK);
        assertThat(timing(10, 1000).verdict()).isEqualTo(Verdict.WARN);
        assertThat(timing(1999, 2500).verdict()).isEqualTo(Verdict.WARN);
        assertThat(timing(2000, 2500).verdict()).isEqualTo(Verdict.FAIL);
    }

    @Test
    void a_sufficient_ttl_is_reported() {
        assertThat(timing(10, 1234).remedy()).isEqualTo("use a ttl of 13 s or more, or a faster store");
        assertThat(timing(400_000, 400_000).remedy()).isEqualTo("no ttl is long enough; use a faster store");
    }

    @Test
    void reads_are_judged_like_writes() {
        var fast = latency(1, 1);
        var slow = latency(3000, 3000);

        assertThat(StoreChecks.timing(slow, fast, TEN_SECONDS).verdict()).isEqualTo(Verdict.FAIL);
        assertThat(StoreChecks.timing(fast, slow, TEN_SECONDS).verdict()).isEqualTo(Verdict.FAIL);
    }

    @Test
    void latency_is_in_microseconds_in_json() {
        assertThat(StoreChecks.latency(latency(1, 2), latency(3, 4)).measured())
                .containsEntry("readMedianMicros", 1000L)
                .containsEntry("readWorstMicros", 2000L)
                .containsEntry("writeMedianMicros", 3000L)
                .containsEntry("writeWorstMicros", 4000L);
    }

    @Test
    void missing_announcements_are_a_warning() {
        var one = List.of(Duration.ofMillis(3));

        assertThat(StoreChecks.watch(one, 0, TEN_SECONDS).verdict()).isEqualTo(Verdict.OK);
        assertThat(StoreChecks.watch(one, 1, TEN_SECONDS).sentence()).endsWith("but 1 of 2 were not");
        assertThat(StoreChecks.watch(one, 1, TEN_SECONDS).verdict()).isEqualTo(Verdict.WARN);
        assertThat(StoreChecks.watch(List.of(), 2, TEN_SECONDS).verdict()).isEqualTo(Verdict.WARN);
    }

    @Test
    void without_a_write_no_announcement_is_missing() {
        assertThat(StoreChecks.watch(List.of(), 0, TEN_SECONDS).verdict()).isEqualTo(Verdict.WARN);
        assertThat(StoreChecks.watch(List.of(), 0, TEN_SECONDS).sentence())
                .isEqualTo("the announcements were not checked, because other processes changed the record before each"
                        + " write");
    }

    @Test
    void median_and_maximum_are_reported() {
        var spans = List.of(Duration.ofMillis(9), Duration.ofMillis(1), Duration.ofMillis(2));

        assertThat(Latency.of(spans)).isEqualTo(latency(2, 9));
    }

    private static Check timing(long medianMillis, long worstMillis) {
        var latency = latency(medianMillis, worstMillis);
        return StoreChecks.timing(latency, latency, TEN_SECONDS);
    }

    private static Latency latency(long medianMillis, long worstMillis) {
        return new Latency(Duration.ofMillis(medianMillis), Duration.ofMillis(worstMillis));
    }

    private static List<Check> promises(boolean durable, Fencing fencing) {
        return StoreChecks.promises(new LeaseStore.Promises(durable, true, "one machine"), fencing, TEN_SECONDS);
    }

    private static List<Check> remarks(boolean durable) {
        var promises = new LeaseStore.Promises(durable, true, "one machine", List.of("first", "second"));
        return StoreChecks.promises(promises, Fencing.BEST_EFFORT, TEN_SECONDS).stream()
                .filter(check -> check.name().equals("remark"))
                .toList();
    }

    private static Verdict verdict(List<Check> checks, String name) {
        return checks.stream()
                .filter(check -> check.name().equals(name))
                .findFirst()
                .orElseThrow()
                .verdict();
    }
}
