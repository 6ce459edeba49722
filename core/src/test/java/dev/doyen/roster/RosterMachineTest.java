package dev.doyen.roster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import dev.doyen.membership.ViewId;
import dev.doyen.ranking.RankingSettings;
import dev.doyen.ranking.Role;
import dev.doyen.roster.RosterEffect.Send;
import dev.doyen.roster.RosterEffect.StartWork;
import dev.doyen.roster.RosterEffect.StopWork;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rules of docs/spec/ranking.md, "Over a membership", a step at a time. Longer than most: there are ten of them. */
class RosterMachineTest {

    private static final Member ME = new Member("m", "1");
    private static final Member BEN = new Member("ben", "1");
    private static final Member CAT = new Member("cat", "1");
    private static final View ALONE = view(1, ME);
    private static final View ALL = view(2, ME, BEN, CAT);

    private final RosterMachine machine = new RosterMachine(RankingSettings.DEFAULT);
    private long nanos = 4_000_000_000L;
    private RosterState state = machine.begin(ME, now());
    private List<RosterEffect> effects = List.of();
    private long wakeAtNanos;

    private static View view(long number, Member... members) {
        return new View(new ViewId(number, "m/1"), List.of(members));
    }

    private static Entry follower(long term) {
        return new Entry(1, Role.FOLLOWER, term, 0, true, 1);
    }

    private static Entry leader(long term) {
        return new Entry(2, Role.LEADER, term, 0, true, 0);
    }

    private Moment now() {
        return new Moment(nanos, nanos / 1_000_000);
    }

    private void take(RosterInput input) {
        RosterStep step = machine.step(state, input);
        state = step.next();
        effects = step.effects();
        wakeAtNanos = step.wakeAtNanos();
    }

    private void install(View view) {
        take(new RosterInput.Installed(now(), view));
    }

    private void pass(long millis) {
        nanos += millis * 1_000_000;
        take(new RosterInput.Tick(now()));
    }

    private void hear(Member from, RosterMessage message) {
        take(new RosterInput.Received(now(), from, message));
    }

    /** An answer to everything that was said until now. */
    private RosterMessage answer(View view, long number, Entry entry) {
        return new RosterMessage(view.id(), number, state.number, entry.term(), false, entry);
    }

    private RosterMessage question(View view, long number, Entry entry) {
        return new RosterMessage(view.id(), number, 0, entry.term(), true, entry);
    }

    private List<Send> sent() {
        return of(Send.class);
    }

    private <T> List<T> of(Class<T> type) {
        return effects.stream()
                .flatMap(effect -> type.isInstance(effect) ? Stream.of(type.cast(effect)) : Stream.empty())
                .toList();
    }

    /** In the view of all; entered, and so known to all. */
    private void enterAll() {
        install(ALL);
        hear(BEN, answer(ALL, 1, follower(0)));
        hear(CAT, answer(ALL, 1, follower(0)));
        hear(BEN, answer(ALL, 1, follower(0)));
        hear(CAT, answer(ALL, 1, follower(0)));
    }

    /** Leads in term 1 of the view of all. */
    private void leadAll() {
        leadAlone();
        install(ALL);
        hear(BEN, answer(ALL, 1, follower(0)));
        hear(CAT, answer(ALL, 1, follower(0)));
    }

    private void leadAlone() {
        install(ALONE);
        pass(500);
        assertThat(of(StartWork.class)).containsExactly(new StartWork(1));
    }

    @Test
    void V1_who_is_alone_enters_and_leads_by_itself_and_says_nothing() {
        leadAlone();
        assertThat(sent()).isEmpty();
        for (int i = 0; i < 20; i++) {
            pass(1250);
        }
        assertThat(state.leadsAt(now())).as("it answers its own pings").isTrue();
    }

    @Test
    void V1_nothing_of_another_view_counts_and_what_came_early_is_kept() {
        install(view(1, ME, BEN));
        hear(BEN, question(ALL, 4, leader(7)));
        assertThat(effects).isEmpty();
        assertThat(state.leader()).isEmpty();
        install(ALL);
        assertThat(sent())
                .as("the answer")
                .anyMatch(send -> send.to().equals(BEN) && !send.message().asks());
        hear(CAT, answer(ALL, 1, follower(0)));
        hear(BEN, answer(ALL, 4, leader(7)));
        assertThat(state.leader())
                .hasValueSatisfying(leader -> assertThat(leader.term()).isEqualTo(7));
        hear(CAT, question(view(1, ME, BEN, CAT), 9, leader(99)));
        assertThat(effects).as("of a view that is past").isEmpty();
        hear(new Member("zoe", "1"), question(ALL, 1, leader(99)));
        assertThat(effects).as("of nobody in the view").isEmpty();
    }

    @Test
    void V1_who_is_put_out_stops_and_comes_back_as_a_follower() {
        leadAlone();
        install(view(2, BEN));
        assertThat(effects).startsWith(new StopWork(1, LossCause.SUPERSEDED));
        install(view(3, ME, BEN));
        assertThat(sent().get(0).message().entry().role()).isEqualTo(Role.FOLLOWER);
        assertThat(sent().get(0).message().entry().joined()).isEqualTo(3);
    }

    @Test
    void V2_an_older_message_is_known_by_its_number() {
        enterAll();
        hear(BEN, answer(ALL, 5, leader(3)));
        assertThat(state.leader()).isPresent();
        hear(BEN, answer(ALL, 4, follower(0)));
        assertThat(state.leader()).isPresent();
        hear(BEN, answer(ALL, 6, follower(3)));
        assertThat(state.leader()).isEmpty();
    }

    @Test
    void V3_sight_is_complete_when_all_have_said_their_entry_and_heard_the_own() {
        install(ALL);
        assertThat(sent()).extracting(Send::to).containsExactlyInAnyOrder(BEN, CAT);
        hear(BEN, answer(ALL, 1, follower(0)));
        hear(CAT, question(ALL, 1, follower(0)));
        assertThat(state.isComplete()).as("cat has not heard").isFalse();
        hear(CAT, answer(ALL, 1, follower(0)));
        assertThat(state.isComplete()).isTrue();
        assertThat(sent()).extracting(send -> send.message().entry().seq()).containsExactly(1L, 1L);
    }

    @Test
    void V4_a_claim_leads_when_all_members_have_heard_it() {
        enterAll();
        pass(10_000);
        assertThat(sent()).extracting(send -> send.message().entry().role()).contains(Role.LEADER);
        hear(BEN, answer(ALL, 1, follower(0)));
        assertThat(state.leadsAt(now())).isFalse();
        hear(CAT, answer(ALL, 1, follower(0)));
        assertThat(of(StartWork.class)).containsExactly(new StartWork(1));
    }

    @Test
    void V4_a_claim_that_is_under_way_does_not_outlive_its_view() {
        enterAll();
        pass(10_000);
        install(view(3, ME, BEN));
        hear(BEN, answer(view(3, ME, BEN), 9, follower(0)));
        assertThat(of(StartWork.class)).isEmpty();
        assertThat(state.leadsAt(now())).isFalse();
    }

    @Test
    void V5_a_leader_leads_on_while_all_members_answer() {
        leadAll();
        for (int i = 0; i < 8; i++) {
            pass(1250);
            assertThat(sent()).hasSize(2);
            hear(BEN, answer(ALL, 1, follower(0)));
            hear(CAT, answer(ALL, 1, follower(0)));
        }
        assertThat(state.leadsAt(now())).isTrue();
        for (int i = 0; i < 4; i++) {
            pass(1250);
            hear(BEN, answer(ALL, 1, follower(0)));
        }
        assertThat(state.leadsAt(now())).as("cat is silent").isFalse();
    }

    @Test
    void V5_a_new_view_that_all_have_heard_of_is_a_proof_too() {
        leadAlone();
        nanos += 1_000_000_000L;
        install(ALL);
        nanos += 100_000_000L;
        hear(BEN, answer(ALL, 1, follower(0)));
        assertThat(state.remainingAt(now())).hasMillis(2900);
        hear(CAT, answer(ALL, 1, follower(0)));
        assertThat(state.remainingAt(now())).hasMillis(3900);
    }

    @Test
    void V6_who_meets_a_better_claim_has_stopped_before_it_answers() {
        leadAll();
        hear(BEN, question(ALL, 2, leader(3)));
        assertThat(effects.get(0)).isEqualTo(new StopWork(1, LossCause.SUPERSEDED));
        Send last = (Send) effects.get(effects.size() - 1);
        assertThat(last.to()).isEqualTo(BEN);
        assertThat(last.message().entry().role()).isEqualTo(Role.FOLLOWER);
        assertThat(last.message().heard()).isEqualTo(2);
    }

    @Test
    void V6_that_is_so_before_its_sight_is_complete_and_for_a_claim_under_way() {
        leadAlone();
        install(ALL);
        // In the same term, but with the lesser order.
        hear(BEN, question(ALL, 1, leader(1)));
        assertThat(effects).startsWith(new StopWork(1, LossCause.SUPERSEDED));
        assertThat(state.isComplete()).isFalse();
    }

    @Test
    void V6_a_claim_under_way_is_given_up_for_a_better_one_even_if_that_is_gone_again() {
        enterAll();
        pass(10_000);
        hear(BEN, question(ALL, 2, leader(1)));
        hear(BEN, question(ALL, 3, follower(1)));
        hear(BEN, answer(ALL, 3, follower(1)));
        hear(CAT, answer(ALL, 1, follower(0)));
        assertThat(of(StartWork.class)).isEmpty();
        assertThat(state.leadsAt(now())).isFalse();
    }

    @Test
    void V6_a_lesser_claim_changes_nothing() {
        leadAll();
        hear(BEN, question(ALL, 2, new Entry(2, Role.LEADER, 1, 0, true, 2)));
        assertThat(of(StopWork.class)).isEmpty();
        assertThat(state.leadsAt(now())).isTrue();
    }

    @Test
    void V7_what_was_not_heard_is_said_again_to_whom_it_concerns() {
        install(ALL);
        hear(BEN, answer(ALL, 1, follower(0)));
        assertThat(wakeAtNanos - nanos).isEqualTo(1_250_000_000);
        pass(1250);
        assertThat(sent()).extracting(Send::to).containsExactly(CAT);
        hear(CAT, answer(ALL, 1, follower(0)));
        pass(1249);
        assertThat(sent()).isEmpty();
    }

    @Test
    void V7_members_are_told_in_the_order_of_the_view_again_and_again() {
        List<Member> others =
                IntStream.range(0, 9).mapToObj(i -> new Member("n" + i, "1")).toList();
        View view = view(2, Stream.concat(Stream.of(ME), others.stream()).toArray(Member[]::new));
        install(view);
        pass(1250);
        assertThat(sent())
                .extracting(Send::to)
                .containsExactlyElementsOf(view.members().stream()
                        .filter(member -> !member.equals(ME))
                        .toList());
    }

    @Test
    void V8_a_term_that_a_member_remembers_is_not_led_in_again() {
        install(ALL);
        hear(BEN, new RosterMessage(ALL.id(), 1, state.number, 8, false, follower(0)));
        hear(CAT, answer(ALL, 1, follower(0)));
        hear(BEN, answer(ALL, 1, follower(0)));
        hear(CAT, answer(ALL, 1, follower(0)));
        pass(10_000);
        assertThat(sent().get(0).message().entry().term()).isEqualTo(9);
        leadAgainstATermOf(7);
    }

    @Test
    void V8_what_a_member_knows_of_terms_it_tells_whoever_bore_them_and_before_its_sight_is_complete() {
        install(ALL);
        hear(BEN, new RosterMessage(ALL.id(), 1, 0, 0, true, leader(7)));
        assertThat(sent().get(0).message().seen()).isEqualTo(7);
        hear(CAT, new RosterMessage(ALL.id(), 1, 0, 9, true, follower(0)));
        assertThat(sent().get(0).message().seen()).isEqualTo(9);
        install(view(3, ME, BEN));
        assertThat(sent().get(0).message().seen()).isEqualTo(9);
    }

    @Test
    void V8_who_says_the_last_term_there_is_keeps_nobody_from_leading() {
        long last = 1L << 52;
        enterAll();
        hear(BEN, new RosterMessage(ALL.id(), 2, state.number, last, false, follower(last)));
        pass(10_000);
        assertThat(sent()).allMatch(send -> send.message().entry().term() == last);
        hear(BEN, answer(ALL, 2, follower(last)));
        hear(CAT, answer(ALL, 1, follower(0)));
        assertThat(of(StartWork.class)).containsExactly(new StartWork(last));
        take(new RosterInput.Resign(now(), Duration.ZERO));
        pass(10_000);
        hear(BEN, answer(ALL, 2, follower(last)));
        hear(CAT, answer(ALL, 1, follower(0)));
        pass(10_000);
        hear(BEN, answer(ALL, 2, follower(last)));
        hear(CAT, answer(ALL, 1, follower(0)));
        assertThat(state.leadsAt(now())).as("again, in the same term").isTrue();
        assertThat(state.leading()).hasValue(last);
    }

    private void leadAgainstATermOf(long seen) {
        state = machine.begin(ME, now());
        leadAlone();
        install(ALL);
        hear(BEN, new RosterMessage(ALL.id(), 1, state.number, seen, false, follower(0)));
        assertThat(effects).startsWith(new StopWork(1, LossCause.SUPERSEDED));
    }

    @Test
    void V1_who_is_put_out_names_nobody_until_it_sees_again() {
        install(ALL);
        hear(BEN, answer(ALL, 1, leader(7)));
        hear(CAT, answer(ALL, 1, follower(7)));
        assertThat(state.leader()).isPresent();
        install(view(3, BEN, CAT));
        assertThat(effects).containsExactly(new RosterEffect.Leader(Optional.empty()));
        assertThat(state.leader()).isEmpty();
        View back = view(4, ME, BEN, CAT);
        install(back);
        hear(BEN, answer(back, 1, leader(7)));
        assertThat(state.leader()).isEmpty();
        hear(CAT, answer(back, 1, follower(7)));
        assertThat(of(RosterEffect.Leader.class)).hasSize(1);
        assertThat(state.leader())
                .hasValueSatisfying(leader -> assertThat(leader.clientId()).isEqualTo("ben"));
    }

    @Test
    void V9_who_stands_back_leads_for_nobody_until_it_stands_and_then_without_waiting_for_more() {
        install(ALONE);
        take(new RosterInput.StandBack(now(), LossCause.PAUSED));
        assertThat(wakeAtNanos).as("nothing to wake for").isEqualTo(Long.MAX_VALUE);
        pass(60_000);
        assertThat(state.leadsAt(now())).isFalse();
        assertThat(state.standsAt(now())).isFalse();
        take(new RosterInput.Stand(now()));
        assertThat(state.leadsAt(now())).isTrue();
        take(new RosterInput.StandBack(now(), LossCause.PAUSED));
        assertThat(effects)
                .containsExactly(new StopWork(1, LossCause.PAUSED), new RosterEffect.Leader(Optional.empty()));
    }

    @Test
    void V9_a_claim_under_way_is_given_up_by_who_stands_back() {
        enterAll();
        pass(10_000);
        take(new RosterInput.StandBack(now(), LossCause.PAUSED));
        hear(BEN, answer(ALL, 1, follower(0)));
        hear(CAT, answer(ALL, 1, follower(0)));
        assertThat(of(StartWork.class)).isEmpty();
        assertThat(sent()).extracting(send -> send.message().entry().role()).containsOnly(Role.FOLLOWER);
        assertThat(sent()).extracting(send -> send.message().entry().eligible()).containsOnly(false);
    }

    @Test
    void V9_who_leaves_stops_and_says_and_takes_nothing_more() {
        leadAll();
        take(new RosterInput.Leave(now()));
        assertThat(effects)
                .containsExactly(new StopWork(1, LossCause.CLOSED), new RosterEffect.Leader(Optional.empty()));
        assertThat(wakeAtNanos).isEqualTo(Long.MAX_VALUE);
        install(view(3, ME, BEN));
        assertThat(effects).isEmpty();
        take(new RosterInput.Stand(now()));
        pass(60_000);
        assertThat(effects).isEmpty();
    }

    @Test
    void V10_a_leader_that_not_all_have_answered_for_two_fifths_of_a_ttl_is_in_jeopardy_until_they_have() {
        leadAll();
        pass(1999);
        assertThat(of(RosterEffect.Jeopardy.class)).isEmpty();
        assertThat(wakeAtNanos - nanos).isEqualTo(1_000_000);
        pass(1);
        assertThat(effects).contains(new RosterEffect.Jeopardy(1, Duration.ofSeconds(2)));
        pass(100);
        assertThat(of(RosterEffect.Jeopardy.class)).as("told once").isEmpty();
        hear(BEN, answer(ALL, 1, follower(0)));
        assertThat(of(RosterEffect.Recovered.class)).isEmpty();
        hear(CAT, answer(ALL, 1, follower(0)));
        assertThat(effects).contains(new RosterEffect.Recovered(1));
        pass(100);
        assertThat(effects).isEmpty();
    }

    @Test
    void V10_who_was_in_jeopardy_and_stopped_is_told_of_no_recovery() {
        leadAll();
        pass(2000);
        assertThat(of(RosterEffect.Jeopardy.class)).hasSize(1);
        pass(2000);
        assertThat(of(StopWork.class)).hasSize(1);
        assertThat(of(RosterEffect.Recovered.class)).isEmpty();
        install(view(3, ME));
        pass(10_000);
        assertThat(of(StartWork.class)).hasSize(1);
        assertThat(of(RosterEffect.Recovered.class)).isEmpty();
    }

    @Test
    void V9_who_closes_stops_and_answers_on() {
        leadAll();
        take(new RosterInput.StandBack(now(), LossCause.CLOSED));
        assertThat(effects).startsWith(new StopWork(1, LossCause.CLOSED));
        assertThat(sent().get(0).message().entry().eligible()).isFalse();
        hear(BEN, question(ALL, 2, leader(2)));
        assertThat(sent()).hasSize(1);
        pass(60_000);
        assertThat(sent()).extracting(send -> send.message().entry().role()).containsOnly(Role.FOLLOWER);
    }

    @Test
    void who_resigns_stops_and_rests() {
        leadAll();
        take(new RosterInput.Resign(now(), Duration.ofSeconds(5)));
        assertThat(effects).startsWith(new StopWork(1, LossCause.RESIGNED));
        assertThat(sent()).extracting(send -> send.message().entry().eligible()).containsOnly(false);
    }

    @Test
    void of_a_view_that_may_come_the_last_message_of_each_of_a_thousand_members_is_kept() {
        install(ALONE);
        for (int i = 0; i < 1200; i++) {
            hear(new Member("n" + i, "1"), question(ALL, 1, follower(0)));
        }
        assertThat(state.early).hasSize(Attendance.MAX_EARLY);
        install(view(9, ME));
        assertThat(state.early).isEmpty();
    }
}
