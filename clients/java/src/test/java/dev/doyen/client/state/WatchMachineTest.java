package dev.doyen.client.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.client.state.WatchSettings.CanAsk;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Tests each rule of the machine.
 *
 * <p>Times are in milliseconds. An answer counts for 5,000, and silence is noticed after 2,500. The file is
 * long because one machine has many rules.
 */
class WatchMachineTest {

    private static final Answer ME = new Answer(Optional.of("me"), OptionalLong.empty());
    private static final Answer OTHER = new Answer(Optional.of("other"), OptionalLong.empty());
    private static final String MY_EVENT = "data: {\"name\":\"me\"}\n\n";
    private static final String OTHER_EVENT = "data: {\"name\":\"other\"}\n\n";

    /** A clock may start anywhere and may overflow. */
    private long nanos = Long.MAX_VALUE - TimeUnit.MILLISECONDS.toNanos(3_000);

    private WatchMachine machine = machine(CanAsk.YES, WhenUnknown.FOLLOW);
    private final List<String> done = new ArrayList<>();

    @Test
    void an_event_that_names_this_process_makes_it_leader_for_so_long() {
        open();
        says(MY_EVENT);

        assertThat(done()).containsExactly("tell LEADING me");
        assertThat(machine.lastAnswer().freshFor(nanos)).isEqualTo(Duration.ofSeconds(5));
        passes(4_999);
        assertThat(leads()).isTrue();
        assertThat(machine.lastAnswer().freshFor(nanos)).isEqualTo(Duration.ofMillis(1));
        passes(1);
        assertThat(leads()).isFalse();
        assertThat(machine.lastAnswer().freshFor(nanos)).isZero();
        assertThat(machine.lastAnswer().state(nanos).role()).isEqualTo(Role.UNKNOWN);
    }

    @Test
    void an_answer_counts_from_before_the_stream_was_opened() {
        start();
        passes(1_000);
        head(200, "text/event-stream");
        passes(1_000);
        says(MY_EVENT);

        passes(2_999);
        assertThat(leads()).isTrue();
        passes(1);
        assertThat(leads()).isFalse();
    }

    @Test
    void that_nothing_is_known_any_more_is_told_when_it_is_so() {
        open();
        says(MY_EVENT);
        done();
        long heardAt = nanos;
        sleepsUntilWoken();
        assertThat(done()).containsExactly("ask");
        sleepsUntilWoken();

        assertThat(done()).containsExactly("tell UNKNOWN me");
        assertThat(nanos - heardAt).isEqualTo(TimeUnit.SECONDS.toNanos(5));
    }

    @Test
    void comments_make_the_last_word_new() {
        open();
        says(MY_EVENT);
        for (int i = 0; i < 10; i++) {
            passes(2_000);
            says(":\n\n");
        }

        assertThat(leads()).isTrue();
        assertThat(done()).containsExactly("tell LEADING me");
        passes(4_999);
        assertThat(leads()).isTrue();
    }

    @Test
    void comments_of_a_new_stream_do_not_make_the_word_of_the_old_one_new() {
        open();
        says(MY_EVENT);
        ends();
        passes(1_500);
        head(200, "text/event-stream");
        passes(2_000);
        says(":\n\n");
        passes(1_499);
        assertThat(leads()).isTrue();
        says(":\n\n");
        passes(1);

        assertThat(leads()).isFalse();
    }

    @Test
    void an_elector_that_no_longer_knows_makes_nothing_new() {
        open();
        says(MY_EVENT);
        passes(1_000);
        says("data: {}\n\n");
        for (int i = 0; i < 4; i++) {
            passes(1_000);
            says(":\n\n");
        }

        assertThat(leads()).isFalse();
    }

    @Test
    void a_silent_stream_is_asked_about_and_the_same_answer_makes_the_word_new() {
        open();
        says(MY_EVENT);
        for (int i = 0; i < 10; i++) {
            done();
            sleepsUntilWoken();
            assertThat(done()).containsExactly("ask");
            passes(1_000);
            answered(ME);
        }

        assertThat(done()).isEmpty();
        passes(3_999);
        assertThat(leads()).as("from when it was asked").isTrue();
        passes(1);
        assertThat(leads()).isFalse();
    }

    @Test
    void what_comes_late_on_a_stream_that_was_asked_about_is_believed() {
        open();
        says(OTHER_EVENT);
        for (int i = 0; i < 10; i++) {
            passes(2_500);
            machine.passed(context());
            answered(OTHER);
        }
        says(MY_EVENT);

        assertThat(leads()).isTrue();
    }

    @Test
    void another_answer_is_believed_and_the_stream_that_missed_it_is_left() {
        open();
        says(MY_EVENT);
        sleepsUntilWoken();
        done();
        answered(OTHER);

        assertThat(done()).containsExactly("close", "open", "tell FOLLOWING other");
    }

    @Test
    void another_term_is_another_answer() {
        open();
        says("event: leader\ndata: {\"leader\":{\"id\":\"me\",\"term\":3}}\n\n");
        sleepsUntilWoken();
        done();
        answered(new Answer(Optional.of("me"), OptionalLong.of(5)));

        assertThat(done()).containsExactly("close", "open", "tell LEADING me 5");
    }

    @Test
    void the_stream_knows_better_than_an_answer_that_it_overtook() {
        open();
        says(MY_EVENT);
        sleepsUntilWoken();
        done();
        says(OTHER_EVENT);
        answered(ME);

        assertThat(done()).containsExactly("tell FOLLOWING other");
    }

    @Test
    void a_silent_stream_without_answers_either_is_opened_anew_after_a_while() {
        open();
        says(MY_EVENT);
        sleepsUntilWoken();
        passes(1_000);
        unanswered();

        assertThat(done()).containsExactly("tell LEADING me", "ask", "close", "trouble unanswered", "ask");
        sleepsUntilWoken();
        assertThat(done()).containsExactly("open");
    }

    @Test
    void a_question_without_answer_is_no_matter_if_the_stream_spoke_meanwhile() {
        open();
        says(MY_EVENT);
        sleepsUntilWoken();
        done();
        passes(1);
        says(":\n\n");
        unanswered();

        assertThat(done()).isEmpty();
    }

    @Test
    void an_answer_makes_nothing_older_than_a_comment_made_it() {
        open();
        says(MY_EVENT);
        sleepsUntilWoken();
        passes(1_000);
        says(":\n\n");
        answered(ME);
        passes(4_999);

        assertThat(leads()).isTrue();
    }

    @Test
    void a_silent_stream_that_cannot_be_asked_about_is_opened_anew_at_once() {
        machine = machine(CanAsk.NO, WhenUnknown.FOLLOW);
        open();
        says(MY_EVENT);
        done();
        sleepsUntilWoken();

        assertThat(done()).containsExactly("close", "open");
    }

    @Test
    void what_lay_in_a_buffer_while_this_process_stood_still_is_not_believed() {
        open();
        says(OTHER_EVENT);
        done();
        passes(5_000);
        says(MY_EVENT + ":\n\n");

        assertThat(leads()).isFalse();
        assertThat(done()).containsExactly("close", "open", "tell UNKNOWN other");
    }

    @Test
    void while_a_stream_is_away_questions_are_put() {
        open();
        says(MY_EVENT);
        ends();
        assertThat(done()).containsExactly("tell LEADING me", "close", "trouble ended", "ask");
        answered(OTHER);
        assertThat(done()).containsExactly("tell FOLLOWING other");
        sleepsUntilWoken();
        assertThat(done()).containsExactly("open");
        head(503, "application/problem+json");
        assertThat(done()).containsExactly("close", "ask");
        answered(ME);
        assertThat(done()).containsExactly("tell LEADING me");
    }

    @Test
    void a_stream_must_begin_in_time_with_the_right_status_and_type() {
        start();
        passes(2_000);
        machine.passed(context()).forEach(this::note);
        assertThat(done())
                .containsExactly("open", "close", "trouble the elector did not begin its stream in time", "ask");
        unanswered();
        sleepsUntilWoken();
        assertThat(done()).containsExactly("open");
        head(503, "text/event-stream");
        says(MY_EVENT);
        assertThat(done()).containsExactly("close", "ask");
        unanswered();
        sleepsUntilWoken();
        assertThat(done()).containsExactly("open");
        head(200, "text/html");
        says(MY_EVENT);
        assertThat(done()).containsExactly("close", "ask");
        assertThat(leads()).isFalse();
    }

    @Test
    void a_stream_that_cannot_be_read_is_left() {
        open();
        says(MY_EVENT);
        says("data: {\"name\":\n\n");
        assertThat(done())
                .contains("close", "trouble not the answer of an elector, at character 8: the object ends too early");
    }

    @Test
    void a_replay_can_say_who_else_led_but_not_that_this_process_does() {
        openWithId();
        ends();
        answered(OTHER);
        sleepsUntilWoken();
        assertThat(done()).endsWith("open e-1");
        head(200, "text/event-stream");
        says("id: e-2\nevent: leader\ndata: {\"leader\":{\"id\":\"me\",\"term\":5}}\n\n");
        assertThat(done()).containsExactly("ask", "tell UNKNOWN me 5");
        says("id: e-3\nevent: leader\ndata: {\"leader\":{\"id\":\"other\",\"term\":6}}\n\n");
        assertThat(done()).containsExactly("tell FOLLOWING other 6");
        says("id: e-4\nevent: leader\ndata: {\"leader\":{\"id\":\"me\",\"term\":7}}\n\n");
        answered(new Answer(Optional.of("other"), OptionalLong.of(6)));
        assertThat(done()).containsExactly("tell UNKNOWN me 7", "ask");
        answered(new Answer(Optional.of("me"), OptionalLong.of(7)));
        assertThat(done()).containsExactly("tell LEADING me 7");
    }

    @Test
    void a_comment_ends_a_replay() {
        openWithId();
        ends();
        sleepsUntilWoken();
        head(200, "text/event-stream");
        says("id: e-2\nevent: leader\ndata: {\"leader\":{\"id\":\"me\",\"term\":5}}\n\n");
        assertThat(leads()).isFalse();
        says(":\n\n");

        assertThat(leads()).isTrue();
    }

    @Test
    void after_a_reset_the_present_follows() {
        openWithId();
        ends();
        sleepsUntilWoken();
        head(200, "text/event-stream");
        says(
                "event: reset\ndata: {\"reason\":\"x\"}\n\nid: e-9\nevent: leader\ndata: {\"leader\":{\"id\":\"me\",\"term\":5}}\n\n");

        assertThat(leads()).isTrue();
    }

    @Test
    void waits_double_up_to_a_bound_with_chance_and_begin_again_after_a_stream_that_lasted() {
        machine = machine(CanAsk.NO, WhenUnknown.FOLLOW);
        start();
        assertThat(waitsAfterFailures(5, 1)).containsExactly(500L, 1_000L, 2_000L, 2_500L, 2_500L);
        assertThat(waitsAfterFailures(1, 0)).containsExactly(1_250L);
        head(200, "text/event-stream");
        says(MY_EVENT);
        assertThat(waitsAfterFailures(1, 1)).as("after a short one").containsExactly(2_500L);
        head(200, "text/event-stream");
        passes(2_500);
        says(MY_EVENT);
        assertThat(waitsAfterFailures(1, 1)).as("after a long one").containsExactly(500L);
    }

    @Test
    void the_server_may_ask_for_a_longer_wait_within_bounds() {
        machine = machine(CanAsk.NO, WhenUnknown.FOLLOW);
        open();
        says("retry: 4000\n\n");
        assertThat(waitsAfterFailures(2, 1)).containsExactly(4_000L, 4_000L);
        head(200, "text/event-stream");
        says("retry: 999999999\n\n");
        assertThat(waitsAfterFailures(1, 1)).containsExactly(60_000L);
        head(200, "text/event-stream");
        says("retry: 0\n\n");
        assertThat(waitsAfterFailures(1, 1).get(0)).isLessThanOrEqualTo(1L);
    }

    @Test
    void trouble_is_said_once() {
        start();
        done();
        waitsAfterFailures(4, 1);

        assertThat(done().stream().filter(each -> each.startsWith("trouble"))).hasSize(1);
    }

    @Test
    void who_keeps_what_was_known_leads_on_but_never_from_nothing() {
        machine = machine(CanAsk.YES, WhenUnknown.KEEP);
        open();
        passes(10_000);
        assertThat(leads()).isFalse();
        machine = machine(CanAsk.YES, WhenUnknown.KEEP);
        open();
        says(MY_EVENT);
        passes(100_000);

        assertThat(leads()).isTrue();
    }

    private List<Long> waitsAfterFailures(int failures, double random) {
        List<Long> waits = new ArrayList<>();
        for (int i = 0; i < failures; i++) {
            machine.ended("ended", new StepContext(nanos, random)).forEach(this::note);
            long before = nanos;
            do {
                sleepsUntilWoken();
            } while (!done.contains("open") && !done.contains("open e-1"));
            done.removeIf(each -> each.startsWith("open"));
            waits.add(TimeUnit.NANOSECONDS.toMillis(nanos - before));
        }
        return waits;
    }

    private static WatchMachine machine(CanAsk canAsk, WhenUnknown whenUnknown) {
        return new WatchMachine(
                new WatchSettings("me", TimeUnit.SECONDS.toNanos(5), whenUnknown, TimeUnit.SECONDS.toNanos(2), canAsk));
    }

    private boolean leads() {
        return machine.lastAnswer().state(nanos).isLeader();
    }

    private void start() {
        machine.start(context()).forEach(this::note);
    }

    private void open() {
        start();
        head(200, "text/event-stream;charset=utf-8");
        done();
    }

    private void openWithId() {
        open();
        says("id: e-1\nevent: leader\ndata: {\"leader\":{\"id\":\"other\",\"term\":4}}\n\n");
        done();
    }

    private void head(int status, String type) {
        machine.opened(status, type, context()).forEach(this::note);
    }

    private void says(String text) {
        machine.bytes(text.getBytes(StandardCharsets.UTF_8), context()).forEach(this::note);
    }

    private void ends() {
        machine.ended("ended", context()).forEach(this::note);
    }

    private void answered(Answer answer) {
        machine.answered(Optional.of(answer), context()).forEach(this::note);
    }

    private void unanswered() {
        machine.unanswered("unanswered", context()).forEach(this::note);
    }

    private void passes(long millis) {
        nanos += TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private void sleepsUntilWoken() {
        long wake = machine.wakeAtNanos(nanos);
        assertThat(wake - nanos).as("it does not wake all the time").isPositive();
        nanos = wake;
        machine.passed(context()).forEach(this::note);
    }

    private StepContext context() {
        return new StepContext(nanos, 0.5);
    }

    private List<String> done() {
        List<String> all = List.copyOf(done);
        done.clear();
        return all;
    }

    private void note(Effect effect) {
        effect.accept(new Effect.Cases() {
            @Override
            public void open(String lastEventId) {
                done.add(("open " + lastEventId).strip());
            }

            @Override
            public void close() {
                done.add("close");
            }

            @Override
            public void ask() {
                done.add("ask");
            }

            @Override
            public void tell(LeaderState state) {
                String term = state.term().isPresent() ? " " + state.term().getAsLong() : "";
                done.add("tell " + state.role() + " " + state.leader().orElse("nobody") + term);
            }

            @Override
            public void trouble(String sentence) {
                done.add("trouble " + sentence);
            }
        });
    }
}
