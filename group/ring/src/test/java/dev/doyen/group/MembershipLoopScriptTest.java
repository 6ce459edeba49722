package dev.doyen.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.driver.LoopListener;
import dev.doyen.election.Threads;
import dev.doyen.event.ElectionEvent;
import dev.doyen.event.Explanation;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.event.SavedState;
import dev.doyen.group.driver.MembershipContest;
import dev.doyen.group.driver.MembershipLoop;
import dev.doyen.membership.Member;
import dev.doyen.membership.Membership;
import dev.doyen.membership.View;
import dev.doyen.testkit.LogLines;
import dev.doyen.testkit.ManualThreads;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests one loop step by step. The test replaces the machine and sets the result of each input.
 *
 * <p>This class is longer than most classes, because all tests use the same {@link Script}.
 */
class MembershipLoopScriptTest {

    private static final String LOGGED = "election=scripted ";

    private final ManualThreads threads = new ManualThreads();
    private final Script script = new Script();
    private final List<String> events = new ArrayList<>();
    private final List<Long> saved = new ArrayList<>();

    /** The loop's reports about its calls. */
    private final List<String> calls = new ArrayList<>();

    private final FakeCluster cluster = new FakeCluster(threads);
    private final Membership membership = cluster.join("me");

    /** True if the next read of the clocks fails. */
    private boolean clocksFail;

    private final LoopListener listener = new LoopListener() {
        @Override
        public void onEvent(ElectionEvent event) {
            events.add("" + event);
        }

        @Override
        public void saved(long save) {
            saved.add(save);
        }

        @Override
        public void settled() {
            calls.add("settled");
        }

        @Override
        public void dropped() {
            calls.add("dropped");
        }
    };

    private final MembershipLoop loop =
            new MembershipLoop(withFailingClocks(), "scripted", membership, script, listener);

    private final LogLines log = new LogLines(LOGGED);

    @BeforeEach
    void start() {
        loop.start();
        pass(1);
        script.taken.clear();
        log.lines().clear();
    }

    @AfterEach
    void end() {
        log.close();
    }

    @Test
    void an_accepted_input_is_not_repeated() {
        loop.campaign();
        script.wakeAt(100);
        loop.resign(Duration.ZERO);
        pass(1_000);
        assertThat(script.taken).containsExactly("campaign", "resign", "woken");
    }

    @Test
    void a_failed_input_is_logged_and_repeated_after_a_twentieth_of_the_leader_lease() {
        script.failing = "resign";
        loop.resign(Duration.ZERO);
        pass(39);
        assertThat(script.taken).isEmpty();
        assertThat(lines()).singleElement().asString().startsWith("a resignation failed");
        pass(1);
        assertThat(script.taken).containsExactly("resign", "woken");
    }

    @Test
    void an_input_is_repeated_until_it_succeeds_although_the_machine_sets_no_timer() {
        script.failing = "resign";
        script.failures = 3;
        loop.resign(Duration.ZERO);
        pass(119);
        assertThat(script.taken).containsExactly("woken", "woken");
        assertThat(loop.isQuiet()).isFalse();
        assertThat(calls).isEmpty();
        pass(1);
        assertThat(script.taken).containsExactly("woken", "woken", "resign", "woken");
        assertThat(loop.isQuiet()).isTrue();
        assertThat(calls).containsExactly("settled");
    }

    @Test
    void an_input_is_repeated_on_time_although_messages_arrive() {
        script.failing = "resign";
        script.failures = 2;
        loop.resign(Duration.ZERO);
        for (int i = 0; i < 8; i++) {
            pass(10);
            membership.send(membership.me(), "script/scripted", new byte[] {7});
        }
        assertThat(script.taken).contains("resign");
    }

    @Test
    void an_input_that_fails_repeatedly_is_dropped_and_reported() {
        script.failing = "resign";
        script.failures = Integer.MAX_VALUE;
        loop.resign(Duration.ZERO);
        pass(159);
        assertThat(calls).isEmpty();
        pass(1);
        assertThat(calls).containsExactly("dropped", "settled");
    }

    @Test
    void an_input_is_repeated_even_if_the_clocks_could_not_be_read() {
        clocksFail = true;
        loop.resign(Duration.ZERO);
        threads.settle();
        assertThat(script.taken).isEmpty();
        loop.campaign();
        threads.settle();
        assertThat(script.taken).containsExactly("resign", "campaign");
    }

    @Test
    void a_machine_is_woken_only_at_its_last_timer() {
        script.wakeAt(10_000);
        loop.resign(Duration.ZERO);
        pass(1);
        script.wakeAt(20_000);
        loop.resign(Duration.ZERO);
        pass(19_999);
        assertThat(script.taken).containsExactly("resign", "resign");
        pass(1);
        assertThat(script.taken).endsWith("woken");
    }

    @Test
    void a_machine_that_sets_an_equal_timer_is_woken_again() {
        script.wakeAt(100);
        script.repeats = 1;
        loop.resign(Duration.ZERO);
        pass(1_000);
        assertThat(script.taken).containsExactly("resign", "woken", "woken");
    }

    @Test
    void a_loop_sets_timers_only_while_the_work_of_an_ended_term_runs() {
        lead(1);
        assertThat(loop.isQuiet()).isTrue();
        script.result(new MembershipContest.StepDown(1, LossCause.RESIGNED));
        loop.resign(Duration.ZERO);
        threads.settle();
        assertThat(loop.isQuiet()).isFalse();
        loop.workStopped(2);
        threads.settle();
        assertThat(loop.isQuiet())
                .as("the end of the work of another term does not count")
                .isFalse();
        loop.workStopped(1);
        threads.settle();
        assertThat(loop.isQuiet()).isTrue();
    }

    @Test
    void a_candidate_whose_work_does_not_stop_withdraws_and_campaigns_again_after_the_work_has_stopped() {
        lead(1);
        script.result(new MembershipContest.StepDown(1, LossCause.EXPIRED));
        loop.resign(Duration.ZERO);
        script.taken.clear();
        pass(799);
        assertThat(script.taken).containsExactly("resign");
        pass(1);
        assertThat(script.taken).containsExactly("resign", "withdraw EXPIRED");
        loop.workStopped(1);
        threads.settle();
        assertThat(script.taken).containsExactly("resign", "withdraw EXPIRED", "campaign");
    }

    @Test
    void a_candidate_that_withdrew_during_its_work_does_not_campaign_afterwards() {
        lead(1);
        script.result(new MembershipContest.StepDown(1, LossCause.EXPIRED));
        loop.resign(Duration.ZERO);
        pass(800);
        loop.withdraw(LossCause.UNHEALTHY);
        threads.settle();
        script.taken.clear();
        loop.workStopped(1);
        threads.settle();
        assertThat(script.taken).isEmpty();
    }

    @Test
    void a_save_is_passed_to_the_machine_and_its_confirmation_to_the_listener() {
        script.result(new MembershipContest.Saved(7));
        loop.save(3, 7, SavedState.ofText("row 5"));
        threads.settle();
        assertThat(script.taken).contains("save 7 in term 3: row 5");
        assertThat(saved).containsExactly(7L);
    }

    @Test
    void the_state_of_a_term_is_available_while_this_member_leads() {
        assertThat(loop.state(1)).isEmpty();
        lead(1);
        assertThat(events).contains("Elected[term=1, state=4 bytes]");
        assertThat(loop.state(1)).contains(SavedState.ofText("kept"));
        assertThat(loop.state(2)).isEmpty();
    }

    @Test
    void faults_of_members_are_logged_once_for_at_most_a_hundred_members() {
        script.result(new MembershipContest.Notice("the disk is slow"));
        loop.resign(Duration.ZERO);
        threads.settle();
        assertThat(lines()).containsExactly("the disk is slow");
        log.lines().clear();
        for (int i = 0; i < 102; i++) {
            var member = new Member("m" + i, "1");
            script.result(
                    new MembershipContest.Blame(member, "fails"), new MembershipContest.Blame(member, "fails again"));
            loop.resign(Duration.ZERO);
        }
        threads.settle();
        assertThat(lines()).hasSize(100).allMatch(line -> line.endsWith(" fails"));
    }

    @Test
    void the_remaining_time_belongs_to_the_term_of_the_listener() {
        lead(1);
        assertThat(loop.remaining(1)).isEqualTo(Duration.ofMillis(800));
        script.leading = Optional.of(2L);
        loop.resign(Duration.ZERO);
        threads.settle();
        assertThat(loop.remaining(1)).isEqualTo(Duration.ZERO);
        assertThat(loop.remaining(2)).isEqualTo(Duration.ZERO);
        assertThat(loop.leading()).isEmpty();
    }

    @Test
    void jeopardy_of_a_former_term_is_not_reported() {
        lead(2);
        events.clear();
        script.result(
                new MembershipContest.Jeopardy(1, Duration.ofMillis(5), "late"), new MembershipContest.Recovered(1));
        loop.resign(Duration.ZERO);
        threads.settle();
        assertThat(events).isEmpty();
        assertThat(loop.explain().sentence()).isEqualTo("leads true doubted false");
    }

    @Test
    void jeopardy_is_reported_until_the_leader_recovers_or_another_term_begins() {
        var jeopardy = new MembershipContest.Jeopardy(1, Duration.ofMillis(5), "late");
        lead(1);
        events.clear();
        script.result(jeopardy);
        loop.resign(Duration.ZERO);
        threads.settle();
        assertThat(loop.explain().sentence()).isEqualTo("leads true doubted true");
        script.result(new MembershipContest.Recovered(1));
        loop.resign(Duration.ZERO);
        threads.settle();
        assertThat(loop.explain().sentence()).isEqualTo("leads true doubted false");
        assertThat(events)
                .containsExactly(
                        "" + new ElectionEvent.Jeopardy(1, Duration.ofMillis(5), "late"),
                        "" + new ElectionEvent.Recovered(1));
        assertThat(lines())
                .as("every event is logged")
                .contains(
                        "missed a renewal in term 1 and leads for at most 5 ms more unless a renewal succeeds: late",
                        "renews again in term 1");

        script.result(jeopardy, new MembershipContest.StepDown(1, LossCause.RESIGNED));
        loop.resign(Duration.ZERO);
        loop.workStopped(1);
        threads.settle();
        lead(2);
        assertThat(loop.explain().sentence()).isEqualTo("leads true doubted false");
    }

    @Test
    void a_resignation_from_one_term_does_not_end_another() {
        lead(2);
        script.taken.clear();
        loop.resignTerm(1, Duration.ZERO);
        threads.settle();
        assertThat(script.taken).isEmpty();
        loop.resignTerm(2, Duration.ZERO);
        threads.settle();
        assertThat(script.taken).containsExactly("resign");
    }

    @Test
    void a_resignation_is_repeated_until_the_machine_accepts_it() {
        lead(1);
        script.taken.clear();
        script.failing = "resign";
        loop.resignTerm(1, Duration.ZERO);
        pass(40);
        assertThat(script.taken).containsExactly("resign", "woken");
        loop.campaign();
        threads.settle();
        assertThat(script.taken).containsExactly("resign", "woken", "campaign");

        script.taken.clear();
        loop.resignTerm(1, Duration.ZERO);
        loop.campaign();
        threads.settle();
        assertThat(script.taken).containsExactly("resign", "campaign");
    }

    @Test
    void each_view_is_logged() {
        cluster.join("other");
        pass(1);
        assertThat(lines()).containsExactly("view 2 has [me, other]");
    }

    @Test
    void messages_held_until_the_work_stops_are_sent_once() {
        var sent = new LongAdder();
        lead(1);
        script.result(new MembershipContest.StepDown(1, LossCause.RESIGNED), message(sent));
        loop.resign(Duration.ZERO);
        threads.settle();
        assertThat(sent.sum()).isZero();
        loop.workStopped(1);
        threads.settle();
        assertThat(sent.sum()).isEqualTo(1);

        lead(2);
        script.result(new MembershipContest.StepDown(2, LossCause.RESIGNED));
        loop.resign(Duration.ZERO);
        loop.workStopped(2);
        threads.settle();
        assertThat(sent.sum()).isEqualTo(1);
    }

    @Test
    void above_a_thousand_waiting_messages_the_oldest_is_dropped() {
        var oldest = new LongAdder();
        var others = new LongAdder();
        var results = new ArrayList<MembershipContest.Effect>();
        results.add(new MembershipContest.StepDown(1, LossCause.RESIGNED));
        results.add(message(oldest));
        for (int i = 0; i < 1_000; i++) {
            results.add(message(others));
        }
        lead(1);
        script.result(results.toArray(MembershipContest.Effect[]::new));
        loop.resign(Duration.ZERO);
        loop.workStopped(1);
        threads.settle();

        assertThat(oldest.sum()).isZero();
        assertThat(others.sum()).isEqualTo(1_000);
        assertThat(loop.tally().notSent()).isEqualTo(1);
    }

    @Test
    void a_message_that_the_membership_cannot_send_is_logged_and_counted() {
        var sent = new LongAdder();
        script.result(
                new MembershipContest.Send(
                        membership.me(),
                        () -> {
                            throw new OutOfMemoryError("on purpose");
                        },
                        sent),
                message(sent));
        loop.resign(Duration.ZERO);
        threads.settle();

        assertThat(lines()).singleElement().asString().startsWith("the membership failed with a message");
        assertThat(loop.tally().notSent()).isEqualTo(1);
        assertThat(sent.sum()).isEqualTo(1);
    }

    @Test
    void no_timer_remains_after_the_work_has_stopped() {
        lead(1);
        script.result(new MembershipContest.StepDown(1, LossCause.RESIGNED));
        loop.resign(Duration.ZERO);
        threads.settle();
        assertThat(threads.timersSet()).isPositive();
        loop.workStopped(1);
        threads.settle();
        assertThat(threads.timersSet()).isZero();
    }

    @Test
    void no_timer_remains_after_the_membership_has_ended() {
        script.wakeAt(10_000);
        loop.resign(Duration.ZERO);
        threads.settle();
        assertThat(threads.timersSet()).isEqualTo(1);
        membership.close();
        pass(1);
        assertThat(script.taken).endsWith("left");
        assertThat(threads.timersSet()).isZero();
    }

    private Threads withFailingClocks() {
        return (Threads) Proxy.newProxyInstance(
                Threads.class.getClassLoader(), new Class<?>[] {Threads.class}, (on, called, with) -> {
                    if (called.getName().equals("now") && clocksFail) {
                        clocksFail = false;
                        throw new StackOverflowError("on purpose");
                    }
                    return called.invoke(threads, with);
                });
    }

    private MembershipContest.Send message(LongAdder sent) {
        return new MembershipContest.Send(membership.me(), () -> new byte[] {7}, sent);
    }

    private void lead(long term) {
        script.leading = Optional.of(term);
        script.result(new MembershipContest.Lead(term));
        loop.campaign();
        threads.settle();
        assertThat(loop.leading()).contains(term);
    }

    private List<String> lines() {
        return log.lines().stream().map(line -> line.substring(LOGGED.length())).toList();
    }

    private void pass(long millis) {
        threads.pass(Duration.ofMillis(millis));
    }

    /** A machine that accepts each input without effects, unless the test has set a result or a failure. */
    private final class Script implements MembershipContest {
        final List<String> taken = new ArrayList<>();
        Optional<Long> leading = Optional.empty();
        String failing = "";
        int failures = 1;
        int repeats;
        private final List<List<Effect>> results = new ArrayList<>();
        private long wakeAtNanos = Long.MAX_VALUE;

        /** Adds the result of one input. The inputs take these results in order. */
        void result(Effect... next) {
            results.add(List.of(next));
        }

        /**
         * Makes the machine set a timer that expires after this time.
         *
         * <p>The result of each later input contains the timer, until the loop has woken the machine {@link #repeats} +
         * 1 times.
         */
        void wakeAt(long millis) {
            wakeAtNanos = threads.now().nanos() + millis * 1_000_000;
        }

        private Outcome take(String input) {
            if (input.equals(failing) && failures > 0) {
                failures--;
                throw new OutOfMemoryError("on purpose");
            }
            taken.add(input);
            return new Outcome(results.isEmpty() ? List.of() : results.remove(0), wakeAtNanos);
        }

        @Override
        public String topic(String election) {
            return "script/" + election;
        }

        @Override
        public Duration leaderLease() {
            return Duration.ofMillis(800);
        }

        @Override
        public Snapshot snapshot() {
            Optional<Long> term = leading;
            return new Snapshot() {
                @Override
                public Optional<Long> leading() {
                    return term;
                }

                @Override
                public Duration remainingAt(Moment now) {
                    return term.isPresent() ? leaderLease() : Duration.ZERO;
                }

                @Override
                public Optional<Leader> leader() {
                    return Optional.empty();
                }

                @Override
                public SavedState state() {
                    return SavedState.ofText("kept");
                }

                @Override
                public Explanation explain(ExplanationContext context) {
                    return new Explanation(
                            Explanation.Reason.LEADING, "leads " + context.leads() + " doubted " + context.doubted());
                }
            };
        }

        @Override
        public Outcome handOver(Moment at, String successor, Duration cooldown) {
            return take("handover to " + successor);
        }

        @Override
        public Outcome save(Moment at, long term, long save, SavedState state) {
            return take("save " + save + " in term " + term + ": " + state.text());
        }

        @Override
        public Outcome installed(Moment at, View view) {
            return take("installed");
        }

        @Override
        public Function<Moment, Outcome> received(Member from, byte[] message) {
            return at -> take("delivered");
        }

        @Override
        public Outcome woken(Moment at) {
            if (repeats == 0) {
                wakeAtNanos = Long.MAX_VALUE;
            } else {
                repeats--;
            }
            return take("woken");
        }

        @Override
        public Outcome campaign(Moment at) {
            return take("campaign");
        }

        @Override
        public Outcome withdraw(Moment at, LossCause cause) {
            return take("withdraw " + cause);
        }

        @Override
        public Outcome resign(Moment at, Duration cooldown) {
            return take("resign");
        }

        @Override
        public Outcome left(Moment at) {
            return take("left");
        }
    }
}
