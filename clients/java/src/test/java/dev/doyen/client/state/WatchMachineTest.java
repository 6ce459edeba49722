package dev.doyen.client.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.client.state.WatchSettings.CanRequest;
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
 * <p>Times are in milliseconds. An answer is valid for 5,000, and the machine reacts to silence after 2,500. The file
 * is long because the machine has many rules.
 */
class WatchMachineTest {

    private static final Answer ME = new Answer(Optional.of("me"), OptionalLong.empty());
    private static final Answer OTHER = new Answer(Optional.of("other"), OptionalLong.empty());
    private static final String MY_EVENT = "data: {\"name\":\"me\"}\n\n";
    private static final String OTHER_EVENT = "data: {\"name\":\"other\"}\n\n";

    /** The time of the clock. It starts shortly before an overflow, because a monotonic clock can overflow. */
    private long nanos = Long.MAX_VALUE - TimeUnit.MILLISECONDS.toNanos(3_000);

    private WatchMachine machine = machine(CanRequest.YES, WhenUnknown.FOLLOW);
    private final List<String> done = new ArrayList<>();

    @Test
    void an_event_that_names_this_process_makes_it_the_leader_for_the_maximum_age() {
        open();
        receives(MY_EVENT);

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
    void the_age_of_an_answer_starts_when_the_stream_is_opened() {
        start();
        passes(1_000);
        head(200, "text/event-stream");
        passes(1_000);
        receives(MY_EVENT);

        passes(2_999);
        assertThat(leads()).isTrue();
        passes(1);
        assertThat(leads()).isFalse();
    }

    @Test
    void listeners_are_notified_when_the_answer_becomes_too_old() {
        open();
        receives(MY_EVENT);
        done();
        long receivedAt = nanos;
        sleepsUntilWoken();
        assertThat(done()).containsExactly("ask");
        sleepsUntilWoken();

        assertThat(done()).containsExactly("tell UNKNOWN me");
        assertThat(nanos - receivedAt).isEqualTo(TimeUnit.SECONDS.toNanos(5));
    }

    @Test
    void a_comment_renews_the_last_answer() {
        open();
        receives(MY_EVENT);
        for (int i = 0; i < 10; i++) {
            passes(2_000);
            receives(":\n\n");
        }

        assertThat(leads()).isTrue();
        assertThat(done()).containsExactly("tell LEADING me");
        passes(4_999);
        assertThat(leads()).isTrue();
    }

    @Test
    void a_comment_of_a_new_stream_does_not_renew_the_answer_of_the_old_one() {
        open();
        receives(MY_EVENT);
        ends();
        passes(1_500);
        head(200, "text/event-stream");
        passes(2_000);
        receives(":\n\n");
        passes(1_499);
        assertThat(leads()).isTrue();
        receives(":\n\n");
        passes(1);

        assertThat(leads()).isFalse();
    }

    @Test
    void an_elector_without_a_known_leader_renews_nothing() {
        open();
        receives(MY_EVENT);
        passes(1_000);
        receives("data: {}\n\n");
        for (int i = 0; i < 4; i++) {
            passes(1_000);
            receives(":\n\n");
        }

        assertThat(leads()).isFalse();
    }

    @Test
    void a_request_after_a_silent_stream_renews_an_equal_answer() {
        open();
        receives(MY_EVENT);
        for (int i = 0; i < 10; i++) {
            done();
            sleepsUntilWoken();
            assertThat(done()).containsExactly("ask");
            passes(1_000);
            answered(ME);
        }

        assertThat(done()).isEmpty();
        passes(3_999);
        assertThat(leads()).as("the age of an answer starts at its request").isTrue();
        passes(1);
        assertThat(leads()).isFalse();
    }

    @Test
    void a_late_event_of_a_silent_stream_is_accepted() {
        open();
        receives(OTHER_EVENT);
        for (int i = 0; i < 10; i++) {
            passes(2_500);
            machine.passed(context());
            answered(OTHER);
        }
        receives(MY_EVENT);

        assertThat(leads()).isTrue();
    }

    @Test
    void a_different_answer_is_accepted_and_its_stream_is_closed() {
        open();
        receives(MY_EVENT);
        sleepsUntilWoken();
        done();
        answered(OTHER);

        assertThat(done()).containsExactly("close", "open", "tell FOLLOWING other");
    }

    @Test
    void a_different_term_is_a_different_answer() {
        open();
        receives("event: leader\ndata: {\"leader\":{\"id\":\"me\",\"term\":3}}\n\n");
        sleepsUntilWoken();
        done();
        answered(new Answer(Optional.of("me"), OptionalLong.of(5)));

        assertThat(done()).containsExactly("close", "open", "tell LEADING me 5");
    }

    @Test
    void an_event_overrides_an_answer_to_an_earlier_request() {
        open();
        receives(MY_EVENT);
        sleepsUntilWoken();
        done();
        receives(OTHER_EVENT);
        answered(ME);

        assertThat(done()).containsExactly("tell FOLLOWING other");
    }

    @Test
    void a_silent_stream_without_answers_is_reopened_later() {
        open();
        receives(MY_EVENT);
        sleepsUntilWoken();
        passes(1_000);
        unanswered();

        assertThat(done()).containsExactly("tell LEADING me", "ask", "close", "trouble unanswered", "ask");
        sleepsUntilWoken();
        assertThat(done()).containsExactly("open");
    }

    @Test
    void a_request_without_answer_is_ignored_if_the_stream_sent_an_event() {
        open();
        receives(MY_EVENT);
        sleepsUntilWoken();
        done();
        passes(1);
        receives(":\n\n");
        unanswered();

        assertThat(done()).isEmpty();
    }

    @Test
    void an_answer_never_shortens_the_age_limit_of_a_comment() {
        open();
        receives(MY_EVENT);
        sleepsUntilWoken();
        passes(1_000);
        receives(":\n\n");
        answered(ME);
        passes(4_999);

        assertThat(leads()).isTrue();
    }

    @Test
    void a_silent_stream_without_a_get_url_is_reopened_at_once() {
        machine = machine(CanRequest.NO, WhenUnknown.FOLLOW);
        open();
        receives(MY_EVENT);
        done();
        sleepsUntilWoken();

        assertThat(done()).containsExactly("close", "open");
    }

    @Test
    void events_buffered_during_a_suspension_are_ignored() {
        open();
        receives(OTHER_EVENT);
        done();
        passes(5_000);
        receives(MY_EVENT + ":\n\n");

        assertThat(leads()).isFalse();
        assertThat(done()).containsExactly("close", "open", "tell UNKNOWN other");
    }

    @Test
    void requests_are_sent_while_the_stream_is_closed() {
        open();
        receives(MY_EVENT);
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
        receives(MY_EVENT);
        assertThat(done()).containsExactly("close", "ask");
        unanswered();
        sleepsUntilWoken();
        assertThat(done()).containsExactly("open");
        head(200, "text/html");
        receives(MY_EVENT);
        assertThat(done()).containsExactly("close", "ask");
        assertThat(leads()).isFalse();
    }

    @Test
    void a_stream_that_cannot_be_read_is_closed() {
        open();
        receives(MY_EVENT);
        receives("data: {\"name\":\n\n");
        assertThat(done())
                .contains("close", "trouble not the answer of an elector, at character 8: the object ends too early");
    }

    @Test
    void a_replayed_event_can_name_other_leaders_but_not_this_process() {
        openWithId();
        ends();
        answered(OTHER);
        sleepsUntilWoken();
        assertThat(done()).endsWith("open e-1");
        head(200, "text/event-stream");
        receives("id: e-2\nevent: leader\ndata: {\"leader\":{\"id\":\"me\",\"term\":5}}\n\n");
        assertThat(done()).containsExactly("recovered", "ask", "tell UNKNOWN me 5");
        receives("id: e-3\nevent: leader\ndata: {\"leader\":{\"id\":\"other\",\"term\":6}}\n\n");
        assertThat(done()).containsExactly("tell FOLLOWING other 6");
        receives("id: e-4\nevent: leader\ndata: {\"leader\":{\"id\":\"me\",\"term\":7}}\n\n");
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
        receives("id: e-2\nevent: leader\ndata: {\"leader\":{\"id\":\"me\",\"term\":5}}\n\n");
        assertThat(leads()).isFalse();
        receives(":\n\n");

        assertThat(leads()).isTrue();
    }

    @Test
    void the_current_state_follows_a_reset() {
        openWithId();
        ends();
        sleepsUntilWoken();
        head(200, "text/event-stream");
        receives(
                "event: reset\ndata: {\"reason\":\"x\"}\n\nid: e-9\nevent: leader\ndata: {\"leader\":{\"id\":\"me\",\"term\":5}}\n\n");

        assertThat(leads()).isTrue();
    }

    @Test
    void the_backoff_doubles_with_jitter_up_to_a_limit_and_is_reset_by_a_stable_stream() {
        machine = machine(CanRequest.NO, WhenUnknown.FOLLOW);
        start();
        assertThat(waitsAfterFailures(5, 1)).containsExactly(500L, 1_000L, 2_000L, 2_500L, 2_500L);
        assertThat(waitsAfterFailures(1, 0)).containsExactly(1_250L);
        head(200, "text/event-stream");
        receives(MY_EVENT);
        assertThat(waitsAfterFailures(1, 1))
                .as("a short stream does not reset the backoff")
                .containsExactly(2_500L);
        head(200, "text/event-stream");
        passes(2_500);
        receives(MY_EVENT);
        assertThat(waitsAfterFailures(1, 1))
                .as("a long stream resets the backoff")
                .containsExactly(500L);
    }

    @Test
    void the_server_can_request_a_longer_delay_within_limits() {
        machine = machine(CanRequest.NO, WhenUnknown.FOLLOW);
        open();
        receives("retry: 4000\n\n");
        assertThat(waitsAfterFailures(2, 1)).containsExactly(4_000L, 4_000L);
        head(200, "text/event-stream");
        receives("retry: 999999999\n\n");
        assertThat(waitsAfterFailures(1, 1)).containsExactly(60_000L);
        machine = machine(CanRequest.NO, WhenUnknown.FOLLOW);
        open();
        receives("retry: 0\n\n");
        assertThat(waitsAfterFailures(2, 1)).containsExactly(100L, 200L);
    }

    @Test
    void a_fault_is_logged_once() {
        start();
        done();
        waitsAfterFailures(4, 1);

        assertThat(done().stream().filter(each -> each.startsWith("trouble"))).hasSize(1);
    }

    @Test
    void each_outage_is_logged_once_and_so_is_its_end() {
        start();
        waitsAfterFailures(2, 1);
        head(200, "text/event-stream");
        receives(OTHER_EVENT + MY_EVENT);
        waitsAfterFailures(2, 1);

        assertThat(done().stream().filter(each -> each.startsWith("trouble") || each.equals("recovered")))
                .containsExactly("trouble ended", "recovered", "trouble ended");
    }

    @Test
    void with_lead_the_app_continues_to_lead_but_never_starts_to_lead() {
        machine = machine(CanRequest.YES, WhenUnknown.KEEP);
        open();
        passes(10_000);
        assertThat(leads()).isFalse();
        machine = machine(CanRequest.YES, WhenUnknown.KEEP);
        open();
        receives(MY_EVENT);
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

    private static WatchMachine machine(CanRequest canRequest, WhenUnknown whenUnknown) {
        return new WatchMachine(new WatchSettings(
                "me", TimeUnit.SECONDS.toNanos(5), whenUnknown, TimeUnit.SECONDS.toNanos(2), canRequest));
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
        receives("id: e-1\nevent: leader\ndata: {\"leader\":{\"id\":\"other\",\"term\":4}}\n\n");
        done();
    }

    private void head(int status, String type) {
        machine.opened(status, type, context()).forEach(this::note);
    }

    private void receives(String text) {
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
        assertThat(wake - nanos).as("the next wake time is in the future").isPositive();
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
            public void request() {
                done.add("ask");
            }

            @Override
            public void notifyListener(LeaderState state) {
                String term = state.term().isPresent() ? " " + state.term().getAsLong() : "";
                done.add("tell " + state.role() + " " + state.leader().orElse("nobody") + term);
            }

            @Override
            public void trouble(String sentence) {
                done.add("trouble " + sentence);
            }

            @Override
            public void recovered() {
                done.add("recovered");
            }
        });
    }
}
