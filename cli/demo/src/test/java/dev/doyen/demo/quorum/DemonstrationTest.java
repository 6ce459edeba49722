package dev.doyen.demo.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.demo.quorum.MemberReport.Candidacy;
import dev.doyen.demo.quorum.MemberReport.Peer;
import dev.doyen.demo.quorum.MemberReport.Raft;
import dev.doyen.demo.quorum.MemberReport.Role;
import dev.doyen.event.LossCause;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests the texts that the page shows, and when the page allows each action. */
class DemonstrationTest {

    private static final long TTL = 3_000;

    private final Demonstration demo = new Demonstration(true, TTL);
    private long now = 1_000_000;

    @Test
    void the_event_of_a_next_leader_contains_its_first_number_and_the_time_without_a_leader() {
        start(3);
        reports(1, leading(1, 0), Role.FOLLOWER);
        reports(1, leading(1, 41), Role.FOLLOWER);
        demo.killed(1, now);
        now += 2_500;
        reports(2, leading(2, 41), Role.FOLLOWER);

        assertThat(texts())
                .containsSubsequence(
                        "Member 2 leads in term 2, and counts on from 41, 2.5 s after the last number.",
                        "Member 1 was killed: SIGKILL to process 101. It led: another member takes over when its lease has"
                                + " run out, after 3 s at the latest.",
                        "Member 1 leads in term 1, and starts to count.");
        assertThat(state().leader()).isEqualTo(new PageState.Leading(2, 2));
        assertThat(state().leaderships())
                .containsExactly(
                        new LeadershipHistory.Stretch(1, 1, 1_000_000, 1_000_000L),
                        new LeadershipHistory.Stretch(2, 2, 1_002_500, null));
    }

    @Test
    void the_displayed_count_never_decreases() {
        start(3);
        reports(1, leading(1, 41), Role.FOLLOWER);
        reports(2, following(1, 12, null), Role.FOLLOWER);

        assertThat(state().count()).isEqualTo(41);
    }

    @Test
    void a_leader_that_was_frozen_briefly_continues_in_the_same_term() {
        start(3);
        reports(1, leading(1, 41), Role.FOLLOWER);
        demo.frozen(1, now);
        assertThat(state().leader()).isNull();
        reports(1, leading(1, 41), Role.FOLLOWER);
        assertThat(state().leader())
                .as("an old report of a frozen process is ignored")
                .isNull();

        demo.thawed(1, now);
        reports(1, leading(1, 42), Role.FOLLOWER);

        assertThat(state().leader()).isEqualTo(new PageState.Leading(1, 1));
        assertThat(state().leaderships()).hasSize(1);
    }

    @Test
    void a_leader_that_stopped_by_its_own_clock_is_reported_once() {
        start(3);
        reports(1, leading(1, 41), Role.FOLLOWER);
        demo.cut(1, now);
        reports(1, following(1, 41, LossCause.EXPIRED), Role.CANDIDATE);
        reports(1, following(1, 41, LossCause.EXPIRED), Role.CANDIDATE);

        assertThat(texts())
                .filteredOn(text -> text.startsWith("Member 1 stopped leading"))
                .containsExactly(
                        "Member 1 stopped leading in term 1: its lease was not confirmed in time, so it stopped by"
                                + " its own clock.");
        assertThat(state().leader()).isNull();
    }

    @Test
    void a_late_report_of_an_old_leader_does_not_replace_the_new_one() {
        start(3);
        reports(1, leading(1, 1), Role.FOLLOWER);
        reports(2, leading(2, 5), Role.FOLLOWER);
        reports(1, leading(1, 2), Role.FOLLOWER);

        assertThat(state().leader()).isEqualTo(new PageState.Leading(2, 2));
    }

    @Test
    void the_majority_counts_voters_that_run_and_are_connected() {
        start(3);
        assertThat(state().quorum()).isEqualTo(new PageState.Quorum(3, 2, 3, 3));

        demo.frozen(1, now);
        assertThat(state().quorum().available()).isEqualTo(2);
        demo.cut(2, now);
        assertThat(state().quorum().available()).isEqualTo(1);
        assertThat(texts().get(0))
                .isEqualTo("Only 1 of 3 voters take part, and 2 are a majority. Nobody can lead until one is back.");
        demo.reconnected(2, now);
        assertThat(texts().get(0)).isEqualTo("2 of 3 voters take part. That is a majority.");
    }

    @Test
    void a_learner_becomes_a_voter_when_it_reports_that_it_votes() {
        start(3);
        demo.started(4, address(4), 104, now);
        reports(4, following(0, 0, null), Role.LEARNER);
        assertThat(state().quorum().voters()).isEqualTo(3);

        demo.reported(4, new MemberReport(0, following(0, 0, null), raft(Role.FOLLOWER, 20, 4)), now);

        assertThat(texts()).contains("Member 4 has the whole log now, and votes.");
        assertThat(state().quorum().voters()).isEqualTo(4);
        assertThat(state().quorum().needed()).isEqualTo(3);
    }

    @Test
    void an_action_that_is_not_possible_is_rejected_with_the_reason() {
        assertThat(demo.objection(Action.KILL, 1)).hasValue("the members have not been started; start them first");
        start(3);

        assertThat(demo.objection(Action.KILL, 9)).hasValue("there is no member 9");
        assertThat(demo.objection(Action.RESTART, 1)).hasValue("member 1 still has a process; kill it first");
        assertThat(demo.objection(Action.THAW, 1)).hasValue("member 1 is not frozen");
        assertThat(demo.objection(Action.RECONNECT, 1))
                .hasValueSatisfying(why -> assertThat(why).contains("not cut off"));
        assertThat(demo.objection(Action.REMOVE, 1)).hasValue("the quorum keeps at least 3 members; add one first");
        demo.frozen(1, now);
        assertThat(demo.objection(Action.FREEZE, 1)).isPresent();
        assertThat(demo.objection(Action.CUT, 1))
                .as("a frozen member cannot be cut off")
                .isPresent();
        assertThat(demo.objection(Action.KILL, 1))
                .as("a frozen member can be killed")
                .isEmpty();
        demo.killed(1, now);
        assertThat(demo.objection(Action.KILL, 1)).hasValue("member 1 has no process; restart it first");
        assertThat(demo.objection(Action.RESTART, 1)).isEmpty();
    }

    @Test
    void no_member_can_be_frozen_without_the_command_kill() {
        var withoutKill = new Demonstration(false, TTL);
        withoutKill.started(1, address(1), 101, now);
        withoutKill.reported(1, new MemberReport(0, following(0, 0, null), raft(Role.FOLLOWER, 1, 3)), now);

        assertThat(withoutKill.objection(Action.FREEZE, 1))
                .hasValue("this system has no command kill, so no process can be frozen");
        assertThat(withoutKill.state(now).canFreeze()).isFalse();
    }

    @Test
    void members_are_added_one_at_a_time_up_to_seven_by_a_majority() {
        start(3);
        assertThat(demo.objection(Action.ADD, 0)).isEmpty();
        demo.adding(4, now);
        assertThat(demo.objection(Action.ADD, 0))
                .hasValue("another change of the members is under way; wait until it is done");
        demo.changed();
        demo.killed(1, now);
        demo.killed(2, now);
        assertThat(demo.objection(Action.ADD, 0))
                .hasValueSatisfying(why -> assertThat(why).startsWith("there is no majority"));

        var full = new Demonstration(true, TTL);
        IntStream.rangeClosed(1, Demonstration.MAX_MEMBERS).forEach(i -> full.started(i, address(i), 100 + i, now));
        assertThat(full.objection(Action.ADD, 0)).hasValue("the quorum has at most 7 members; remove one first");
    }

    @Test
    void a_member_number_is_not_reused() {
        start(4);
        demo.removing(4, now);
        assertThat(demo.objection(Action.KILL, 4)).hasValue("member 4 is being removed");
        demo.removed(4, "Member 4 was removed.", now);
        demo.changed();

        assertThat(demo.nextNumber()).isEqualTo(5);
    }

    @Test
    void addresses_in_messages_of_the_quorum_are_replaced_by_names() {
        start(3);
        demo.note(address(2) + " has all records and becomes a voter", now);

        assertThat(texts().get(0)).isEqualTo("Member 2 has all records and becomes a voter.");
    }

    @Test
    void old_events_and_leaderships_are_removed() {
        start(3);
        for (int term = 1; term <= 2 * LeadershipHistory.KEPT; term++) {
            reports(1 + term % 3, leading(term, term), Role.FOLLOWER);
        }

        assertThat(state().events()).hasSize(DemoEvents.KEPT);
        assertThat(state().leaderships()).hasSize(LeadershipHistory.KEPT + 1);
    }

    @Test
    void the_output_of_a_process_is_read_unchanged() {
        var report = new MemberReport(17, following(3, 5, LossCause.SUSPENDED), raft(Role.CANDIDATE, 9, 3));

        String line = JsonLines.write(ChildLine.of(report));

        assertThat(line).doesNotContain("\n").doesNotContain("null");
        assertThat(JsonLines.read(line, ChildLine.class)).isEqualTo(ChildLine.of(report));
    }

    /** Starts {@code count} members. The last member is the Raft leader. */
    private void start(int count) {
        for (int i = 1; i <= count; i++) {
            demo.started(i, address(i), 100 + i, now);
        }
        for (int i = 1; i <= count; i++) {
            demo.reported(
                    i,
                    new MemberReport(
                            0, following(0, 0, null), raft(i == count ? Role.LEADER : Role.FOLLOWER, 1, count)),
                    now);
        }
    }

    private void reports(int number, Candidacy candidacy, Role role) {
        demo.reported(number, new MemberReport(0, candidacy, raft(role, 1, 3)), now);
    }

    private static Raft raft(Role role, long committed, int voters) {
        return new Raft(
                role,
                role != Role.LEARNER,
                1,
                committed,
                committed,
                address(3),
                IntStream.rangeClosed(1, voters)
                        .mapToObj(each -> new Peer(address(each), true, true))
                        .toList());
    }

    private static Candidacy leading(long term, long count) {
        return new Candidacy(true, term, count, null, null, 0);
    }

    private static Candidacy following(long term, long count, @Nullable LossCause lost) {
        return new Candidacy(false, term, count, lost, "member-1", 1);
    }

    private static String address(int number) {
        return "127.0.0.1:2000" + number;
    }

    private PageState state() {
        return demo.state(now);
    }

    private List<String> texts() {
        return state().events().stream().map(PageState.Event::text).toList();
    }
}
