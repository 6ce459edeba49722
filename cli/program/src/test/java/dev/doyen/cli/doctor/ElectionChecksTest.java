package dev.doyen.cli.doctor;

import static dev.doyen.cli.operator.Records.NOON;
import static dev.doyen.cli.operator.Records.free;
import static dev.doyen.cli.operator.Records.held;
import static dev.doyen.cli.operator.Records.nothing;
import static dev.doyen.cli.operator.Records.noting;
import static dev.doyen.cli.operator.Records.past;
import static dev.doyen.cli.operator.Records.seconds;
import static dev.doyen.cli.operator.Records.session;
import static dev.doyen.cli.operator.Records.snapshot;
import static dev.doyen.cli.operator.Records.under;
import static dev.doyen.cli.operator.Records.versioned;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.cli.doctor.Check.Verdict;
import dev.doyen.cli.operator.ElectionSnapshot;
import dev.doyen.cli.operator.ObservedElection;
import dev.doyen.election.LeaseTiming;
import dev.doyen.event.LossCause;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class ElectionChecksTest {

    @Test
    void a_leader_that_renewed_is_ok() {
        var observed = ObservedElection.first(snapshot(held("a", 3, 0)), 0).then(snapshot(held("a", 3, 2)), seconds(2));

        assertThat(checks(observed, 2)).containsOnlyKeys("leader");
        assertThat(checks(observed, 2).get("leader").verdict()).isEqualTo(Verdict.OK);
    }

    @Test
    void a_leader_in_the_record_is_ok_unless_the_record_is_older_than_its_ttl() {
        var observed = ObservedElection.first(snapshot(held("a", 3, 0)), 0);

        assertThat(judged(observed, 0, 10)).isEqualTo(Verdict.OK);
        assertThat(judged(observed, 0, 11)).isEqualTo(Verdict.WARN);
    }

    @Test
    void no_leader_is_a_warning_and_an_expired_lease_is_an_error() {
        assertThat(checks(ObservedElection.first(nothing(), 0), 0).get("leader").verdict())
                .isEqualTo(Verdict.WARN);
        assertThat(checks(ObservedElection.first(snapshot(free(3, "a", LossCause.EXPIRED)), 0), 5)
                        .get("leader"))
                .satisfies(check -> assertThat(check.verdict()).isEqualTo(Verdict.WARN))
                .satisfies(check -> assertThat(check.sentence())
                        .isEqualTo("nobody leads since 2026-11-21T12:00:00Z, 5 s ago (expired)"));
        assertThat(judged(ObservedElection.first(snapshot(held("a", 3, 0)), 0), 10, 10))
                .isEqualTo(Verdict.FAIL);
    }

    @Test
    void a_pause_is_reported_with_the_command_that_ends_it() {
        var paused = noting(
                free(3, "a", LossCause.PAUSED),
                LeaseNotes.NONE.withPause(Optional.of(new LeaseNotes.Pause("bob", "backup", NOON))));
        var checks =
                new ElectionChecks("it's e", ObservedElection.first(snapshot(paused), 0), 0, NOON).of(Optional.empty());

        assertThat(checks)
                .filteredOn(check -> check.name().equals("pause"))
                .singleElement()
                .satisfies(check -> {
                    assertThat(check.verdict()).isEqualTo(Verdict.WARN);
                    assertThat(check.sentence()).contains("bob", "backup");
                    assertThat(check.remedy()).startsWith("doyen resume 'it'\\''s e'");
                });
    }

    @Test
    void a_pending_step_down_request_is_a_warning() {
        var requested = noting(
                held("a", 3, 0), LeaseNotes.NONE.withStepDownRequest(new LeaseNotes.StepDownRequest("b", "alice", "")));

        assertThat(checks(ObservedElection.first(snapshot(requested), 0), 0)
                        .get("command")
                        .sentence())
                .isEqualTo("the leader is asked to hand over to \"b\", by alice, and has not done so yet");
    }

    @Test
    void a_session_and_its_end_are_reported() {
        var lease = under("~session/1", 5, "a", 3);
        var running = ObservedElection.first(snapshot(lease, session("~session/1", "host-7", 5, 0)), 0);
        var over = ObservedElection.first(snapshot(lease, session("~session/1", "", 5, 0)), 0);
        var missing =
                ObservedElection.first(new ElectionSnapshot(versioned(lease), Optional.of(VersionedLease.ABSENT)), 0);

        assertThat(checks(running, 0).get("session").verdict()).isEqualTo(Verdict.OK);
        assertThat(checks(running, 0).get("session").sentence()).contains("~session/1, epoch 5", "host-7");
        assertThat(checks(over, 0).get("session").verdict()).isEqualTo(Verdict.WARN);
        assertThat(checks(missing, 0).get("session").verdict()).isEqualTo(Verdict.FAIL);
    }

    @Test
    void a_different_ttl_in_the_record_is_reported() {
        var observed = ObservedElection.first(snapshot(held("a", 3, 0)), 0);

        assertThat(new ElectionChecks("e", observed, 0, NOON).of(Optional.of(LeaseTiming.ofTtl(Duration.ofSeconds(5)))))
                .anyMatch(check -> check.name().equals("ttl") && check.verdict() == Verdict.WARN);
        assertThat(new ElectionChecks("e", observed, 0, NOON)
                        .of(Optional.of(LeaseTiming.ofTtl(Duration.ofSeconds(10)))))
                .noneMatch(check -> check.name().equals("ttl"));
    }

    @Test
    void repeated_losses_of_terms_are_a_warning() {
        assertThat(pastOf(LossCause.EXPIRED, LossCause.RESIGNED, LossCause.EXPIRED)
                        .verdict())
                .isEqualTo(Verdict.OK);
        assertThat(pastOf(LossCause.EXPIRED, LossCause.SUSPENDED, LossCause.SUPERSEDED)
                        .verdict())
                .isEqualTo(Verdict.WARN);
        assertThat(pastOf(
                                LossCause.CLOSED,
                                LossCause.CLOSED,
                                LossCause.CLOSED,
                                LossCause.CLOSED,
                                LossCause.CLOSED,
                                LossCause.EXPIRED,
                                LossCause.EXPIRED,
                                LossCause.EXPIRED)
                        .verdict())
                .isEqualTo(Verdict.OK);
    }

    private static Check pastOf(LossCause... causes) {
        var terms = new LeaseNotes.PastTerm[causes.length];
        for (int at = 0; at < causes.length; at++) {
            terms[at] = new LeaseNotes.PastTerm(causes.length - at, "a", NOON, NOON, causes[at]);
        }
        var record = noting(held("a", causes.length + 1, 0), past(terms));
        return checks(ObservedElection.first(snapshot(record), 0), 0).get("past");
    }

    private static Verdict judged(ObservedElection observed, double atSeconds, long wallSeconds) {
        return new ElectionChecks("e", observed, seconds(atSeconds), NOON.plusSeconds(wallSeconds))
                .of(Optional.empty())
                .get(0)
                .verdict();
    }

    private static Map<String, Check> checks(ObservedElection observed, double atSeconds) {
        List<Check> all = new ElectionChecks(
                        "e", observed, seconds(atSeconds), NOON.plusMillis(Math.round(atSeconds * 1000)))
                .of(Optional.empty());
        return all.stream().collect(Collectors.toMap(Check::name, Function.identity()));
    }
}
