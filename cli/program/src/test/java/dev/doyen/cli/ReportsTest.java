package dev.doyen.cli;

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
import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.cli.doctor.Check;
import dev.doyen.cli.operator.Change;
import dev.doyen.cli.operator.ObservedElection;
import dev.doyen.cli.operator.ObservedElection.State;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the reports that the commands print, and how long the commands wait. */
final class ReportsTest {

    @Test
    void a_leader_after_one_read() {
        assertThat(report(one(held("a", 3, 80)), 0, 81).lines())
                .containsExactly(
                        "leader    a",
                        "term      3",
                        "since     2026-11-21T12:00:00Z, 1 min 21 s ago",
                        "renewed   2026-11-21T12:01:20Z, 1 s ago by its own clock",
                        "lease     10 s; without a renewal another candidate can lead in 10 s at the latest,"
                                + " because one read cannot show its age");
    }

    @Test
    void a_leader_whose_record_is_older_than_its_ttl_is_uncertain() {
        assertThat(report(one(held("a", 3, 80)), 0, 91).lines())
                .contains("renewed   2026-11-21T12:01:20Z, 11 s ago by its own clock, which is longer than its ttl;"
                        + " --certain shows whether it still leads");
    }

    @Test
    void a_leader_that_renewed_during_the_wait() {
        var observed = one(held("a", 3, 80)).then(snapshot(held("a", 3, 82)), seconds(2));

        assertThat(report(observed, 3, 83).lines())
                .contains(
                        "lease     10 s; it was renewed just now; without another renewal another candidate can lead in 9 s");
    }

    @Test
    void a_leader_under_a_session() {
        var observed = ObservedElection.first(
                snapshot(under("~session/1", 5, "a", 3), session("~session/1", "host", 5, 7)), 0);

        assertThat(report(observed, 0, 8).lines())
                .contains("renewed   2026-11-21T12:00:07Z, 1 s ago by its own clock", "session   ~session/1, epoch 5");
    }

    @Test
    void no_leader_and_the_reason() {
        assertThat(report(ObservedElection.first(nothing(), 0), 0, 0).lines())
                .containsExactly("leader    no leader, and the election has never had one; check the name");
        assertThat(report(one(free(3, "a", LossCause.RESIGNED)), 0, 12).lines())
                .containsExactly(
                        "leader    nobody", "last      a in term 3, until 2026-11-21T12:00:00Z, 12 s ago: resigned");
        assertThat(report(one(held("a", 3, 0)), 10, 10).lines())
                .containsExactly(
                        "leader    nobody",
                        "last      a in term 3; it has not renewed for 10 s, and its lease has expired");
    }

    @Test
    void pauses_and_step_down_requests_are_shown() {
        var notes = LeaseNotes.NONE
                .withPause(Optional.of(new LeaseNotes.Pause("bob@host", "backup", NOON)))
                .withStepDownRequest(new LeaseNotes.StepDownRequest("b", "alice@host", ""));

        assertThat(report(one(noting(held("a", 3, 0), notes)), 0, 3).lines())
                .endsWith(
                        "paused    by bob@host, 2026-11-21T12:00:00Z, 3 s ago: backup",
                        "asked     to hand over to \"b\", by alice@host");
    }

    @Test
    void a_leader_as_json() {
        var notes = LeaseNotes.NONE.withPause(Optional.of(new LeaseNotes.Pause("bob@host", "a \"b\"", NOON)));

        assertThat(report(one(noting(held("a", 3, 80), notes)), 1, 81).json())
                .isEqualTo("{\"time\":\"2026-11-21T12:01:21Z\",\"election\":\"e\",\"state\":\"named\","
                        + "\"leader\":\"a\",\"term\":3,\"since\":\"2026-11-21T12:00:00Z\","
                        + "\"renewedAt\":\"2026-11-21T12:01:20Z\",\"ttlMillis\":10000,\"unchangedForMillis\":1000,"
                        + "\"lastsMillis\":9000,\"paused\":{\"by\":\"bob@host\",\"since\":\"2026-11-21T12:00:00Z\","
                        + "\"reason\":\"a \\\"b\\\"\"}}");
        assertThat(report(ObservedElection.first(nothing(), 0), 0, 0).json())
                .isEqualTo("{\"time\":\"2026-11-21T12:00:00Z\",\"election\":\"e\",\"state\":\"never-led\","
                        + "\"leader\":null}");
    }

    @ParameterizedTest
    @CsvSource({
        "LED,      false, false, true",
        "LED,      true,  true,  true",
        "NAMED,    false, true,  true",
        "NAMED,    true,  false, false",
        "FREE,     true,  false, true",
        "FREE,     false, true,  false",
        "NEVER_LED,false, true,  false",
        "EXPIRED,  true,  true,  false",
        "EXPIRED,  true,  false, true"
    })
    void certain_and_wait_make_the_command_wait(State state, boolean certain, boolean mayWait, boolean answers) {
        assertThat(LeaderCommand.isAnswer(state, certain, mayWait)).isEqualTo(answers);
    }

    @Test
    void a_history() {
        var record = noting(
                held("c", 12, 0),
                past(
                        new LeaseNotes.PastTerm(
                                11, "bb", NOON.minusSeconds(60), NOON.minusMillis(4200), LossCause.EXPIRED),
                        new LeaseNotes.PastTerm(
                                10,
                                "a",
                                NOON.minusSeconds(7300),
                                NOON.minusSeconds(61),
                                LossCause.RESIGNED,
                                "alice",
                                "an upgrade")));

        assertThat(history(record).lines())
                .containsExactly(
                        "TERM  HOLDER  FROM                  UNTIL                 LED FOR  ENDED     GAP    ASKED BY",
                        "  12  c       2026-11-21T12:00:00Z  now                   5 s      -         4.2 s  -",
                        "  11  bb      2026-11-21T11:59:00Z  2026-11-21T11:59:55Z  55.8 s   expired   1 s    -",
                        "  10  a       2026-11-21T09:58:20Z  2026-11-21T11:58:59Z  2 h      resigned  -      alice: an upgrade");
        assertThat(history(record).jsonLines())
                .hasSize(3)
                .contains("{\"election\":\"e\",\"term\":12,\"holder\":\"c\",\"from\":\"2026-11-21T12:00:00Z\","
                        + "\"gapMillis\":4200}")
                .last()
                .asString()
                .endsWith("\"end\":\"resigned\",\"by\":\"alice\",\"reason\":\"an upgrade\"}");
    }

    @Test
    void a_history_without_a_leader_shows_the_end_of_the_last_term() {
        assertThat(history(free(3, "a", LossCause.CLOSED)).lines())
                .endsWith("Nobody leads since 2026-11-21T12:00:00Z, 5 s ago.");
        assertThat(new HistoryReport("e", ObservedElection.first(nothing(), 0), NOON).lines())
                .containsExactly("No term of \"e\" is remembered here.");
    }

    @Test
    void a_negative_gap_is_explained() {
        var record = noting(
                held("c", 12, 0), past(new LeaseNotes.PastTerm(11, "b", NOON, NOON.plusSeconds(3), LossCause.CLOSED)));

        assertThat(history(record).lines()).anyMatch(line -> line.startsWith("A gap below zero:"));
    }

    @Test
    void a_change_as_text_and_as_json() {
        var line = new ChangeLine(
                "e", new Change(Change.Kind.LEADER, Optional.of(new Leader("a", 3)), "\"a\" leads"), NOON);

        assertThat(line.text()).isEqualTo("2026-11-21T12:00:00Z  leader             \"a\" leads");
        assertThat(line.json())
                .isEqualTo("{\"time\":\"2026-11-21T12:00:00Z\",\"event\":\"leader\",\"election\":\"e\","
                        + "\"leader\":\"a\",\"term\":3,\"message\":\"\\\"a\\\" leads\"}");
        assertThat(new ChangeLine("e", new Change(Change.Kind.STORE_UNAVAILABLE, Optional.empty(), "x"), NOON).json())
                .contains("\"event\":\"store-unavailable\"", "\"leader\":null");
    }

    @Test
    void a_doctor_report_ends_with_the_worst_result() {
        var lines = new ArrayList<String>();
        var report = new CheckReport(false, lines::add);
        report.add(Check.ok("store", "fine"));
        assertThat(report.end()).isZero();
        report.add(Check.warn("clocks", "odd", "look"));
        assertThat(report.end()).isEqualTo(1);
        report.add(Check.fail("conformance", "bad", "flee"));
        assertThat(report.end()).isEqualTo(2);

        assertThat(lines)
                .containsExactly(
                        "ok    store        fine",
                        "All checks passed.",
                        "warn  clocks       odd",
                        "                   -> look",
                        "0 wrong, 1 could be better, 1 well.",
                        "fail  conformance  bad",
                        "                   -> flee",
                        "1 wrong, 1 could be better, 1 well.");
    }

    @Test
    void a_doctor_report_as_json() {
        var lines = new ArrayList<String>();
        var report = new CheckReport(true, lines::add);
        report.add(Check.warn("clocks", "odd", "look"));
        report.end();

        assertThat(lines)
                .containsExactly(
                        "{\"check\":\"clocks\",\"verdict\":\"warn\",\"message\":\"odd\",\"remedy\":\"look\"}",
                        "{\"check\":\"summary\",\"verdict\":\"warn\",\"ok\":0,\"warn\":1,\"fail\":0}");
    }

    @Test
    void an_admin_command_waits_two_ttls_or_four_with_a_session() {
        assertThat(AdminCommand.defaultWait(one(held("a", 3, 0)))).isEqualTo(Duration.ofSeconds(20));
        assertThat(AdminCommand.defaultWait(ObservedElection.first(
                        snapshot(under("~session/1", 5, "a", 3), session("~session/1", "host", 5, 0)), 0)))
                .isEqualTo(Duration.ofSeconds(40));
    }

    @Test
    void a_column_is_as_wide_as_its_widest_cell() {
        assertThat(new TextTable(List.of(List.of("N", "NAME"), List.of("10", "é")), 0).lines())
                .containsExactly(" N  NAME", "10  é");
    }

    private static ObservedElection one(LeaseRecord record) {
        return ObservedElection.first(snapshot(record), 0);
    }

    private static LeaderReport report(ObservedElection observed, double atSeconds, long wallSeconds) {
        return new LeaderReport("e", observed, seconds(atSeconds), NOON.plusSeconds(wallSeconds));
    }

    private static HistoryReport history(LeaseRecord record) {
        return new HistoryReport("e", one(record), NOON.plusSeconds(5));
    }
}
