package dev.doyen.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.client.state.LeaderState;
import dev.doyen.client.state.Role;
import dev.doyen.client.state.WatchSettings;
import dev.doyen.client.state.WhenUnknown;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Faulty streams over real sockets. {@code WatchMachineTest} tests what they mean. */
class LeaderWatchTest {

    private static final String ME = "data: {\"name\":\"me\",\"last_update\":\"\"}\n\n";
    private static final String OTHER = "data: {\"name\":\"other\",\"last_update\":\"\"}\n\n";

    private final Heard heard = new Heard();
    private StandIn standIn;
    private String base;

    @BeforeEach
    void start() throws Exception {
        standIn = new StandIn();
        base = standIn.on("/", StandIn.body(503, ""));
    }

    @AfterEach
    void stop() throws Exception {
        standIn.close();
    }

    @Test
    void a_stream_in_chunks_of_one_byte_is_read() throws Exception {
        standIn.on("/sse", (request, out) -> {
            StandIn.streamHead(out);
            for (byte each : ("retry: 10\n" + OTHER + ":\n\n" + ME).getBytes(StandardCharsets.US_ASCII)) {
                StandIn.chunk(out, Character.toString(each));
            }
            standIn.hold();
        });
        try (LeaderWatch watch = watch()) {
            heard.until(Role.LEADING);

            assertThat(watch.isLeader()).isTrue();
            assertThat(watch.freshFor()).isPositive().isLessThanOrEqualTo(Elector.DEFAULT_MAX_AGE);
            assertThat(heard.passed()).extracting(LeaderState::role).endsWith(Role.FOLLOWING, Role.LEADING);
        }
    }

    @Test
    void a_listener_and_a_subscriber_that_throw_Errors_end_neither_the_listening_nor_what_others_hear()
            throws Exception { // L8
        standIn.on("/sse", (request, out) -> {
            StandIn.streamHead(out);
            StandIn.chunk(out, OTHER);
            StandIn.chunk(out, ME);
            standIn.hold();
        });
        try (LeaderWatch watch = watch()) {
            watch.listen(state -> {
                throw new OutOfMemoryError("on purpose");
            });
            watch.subscribe(new Subscriber() {
                @Override
                public void onSubscribe(Flow.Subscription given) {
                    given.request(Long.MAX_VALUE);
                }

                @Override
                public void onNext(LeaderState state) {
                    throw new OutOfMemoryError("on purpose");
                }
            });
            var later = new Heard();
            watch.listen(later);
            heard.until(Role.LEADING);
            later.until(Role.LEADING);
        }
    }

    @Test
    void a_question_that_fails_with_an_Error_is_one_without_an_answer() throws Exception { // L8
        var opened = new CountDownLatch(2);
        standIn.on("/sse", (request, out) -> {
            opened.countDown();
            StandIn.streamHead(out);
            StandIn.chunk(out, OTHER);
            standIn.hold();
        });
        var settings = new WatchSettings(
                "me",
                Duration.ofSeconds(2).toNanos(),
                WhenUnknown.FOLLOW,
                Duration.ofMillis(500).toNanos(),
                WatchSettings.CanAsk.YES);
        try (var watch = new LeaderWatch(settings, URI.create(base).resolve("/sse"), () -> {
            throw new OutOfMemoryError("unable to create native thread, on purpose");
        })) {
            watch.listen(heard);

            assertThat(opened.await(60, TimeUnit.SECONDS))
                    .as("the stream is opened again, because the question about its silence has no answer")
                    .isTrue();
        }
    }

    @Test
    void what_is_cut_mid_event_was_never_said_and_the_stream_is_opened_again() throws Exception {
        var opened = new AtomicInteger();
        standIn.on("/sse", (request, out) -> {
            StandIn.streamHead(out);
            if (opened.incrementAndGet() == 1) {
                StandIn.chunk(out, "retry: 10\n" + OTHER + ME.substring(0, ME.length() - 1));
            } else {
                StandIn.chunk(out, ME);
                standIn.hold();
            }
        });
        try (LeaderWatch watch = watch()) {
            heard.until(Role.FOLLOWING);
            heard.until(Role.LEADING);

            assertThat(opened).hasValue(2);
            assertThat(watch.isLeader()).isTrue();
        }
    }

    @Test
    void a_line_without_end_is_left_and_its_connection_closed() throws Exception {
        var closed = new CountDownLatch(1);
        var opened = new AtomicInteger();
        standIn.on("/sse", (request, out) -> {
            StandIn.streamHead(out);
            if (opened.incrementAndGet() > 1) {
                StandIn.chunk(out, ME);
                standIn.hold();
            }
            try {
                while (true) {
                    StandIn.chunk(out, "x".repeat(10_000));
                }
            } catch (java.io.IOException e) {
                closed.countDown();
            }
        });
        try (LeaderWatch watch = watch()) {
            heard.until(Role.LEADING);

            assertThat(closed.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(watch.isLeader()).isTrue();
        }
    }

    @Test
    void a_stream_that_is_refused_or_never_begins_is_made_up_for_by_questions() throws Exception {
        var opened = new AtomicInteger();
        standIn.on("/", StandIn.body(200, "X-Fencing-Token: 3", "{\"name\":\"me\"}"));
        standIn.on("/sse", (request, out) -> {
            if (opened.incrementAndGet() == 1) {
                StandIn.body(503, "Retry-After: 5", "").to(request, out);
            }
            standIn.hold();
        });
        try (LeaderWatch watch = watch()) {
            assertThat(heard.until(Role.LEADING).term()).hasValue(3);
            assertThat(watch.isLeader()).isTrue();
            standIn.on("/", StandIn.body(200, "{\"name\":\"other\"}"));
            heard.until(Role.FOLLOWING);
        }
    }

    @Test
    void a_silent_connection_is_noticed_and_a_process_that_led_leads_no_more() throws Exception {
        standIn.on("/", (request, out) -> standIn.hold());
        var opened = new AtomicInteger();
        standIn.on("/sse", (request, out) -> {
            if (opened.incrementAndGet() == 1) {
                StandIn.streamHead(out);
                StandIn.chunk(out, ME);
            }
            standIn.hold();
        });
        try (LeaderWatch watch = watch()) {
            heard.until(Role.LEADING);
            heard.until(Role.UNKNOWN);

            assertThat(watch.isLeader()).isFalse();
        }
    }

    @Test
    void subscribers_get_what_is_so_as_they_ask_and_complete_at_the_close() throws Exception {
        CountDownLatch goOn = meAndThenAnother();
        LeaderWatch watch = watch();
        heard.until(Role.LEADING);
        var slow = new Subscriber();
        watch.subscribe(slow);
        slow.subscription.request(1);
        assertThat(slow.next()).isEqualTo("LEADING");
        goOn.countDown();
        heard.until(Role.FOLLOWING);
        assertThat(slow.signals).isEmpty();
        slow.subscription.request(5);
        assertThat(slow.next()).isEqualTo("FOLLOWING");
        var gone = new Subscriber();
        watch.subscribe(gone);
        gone.subscription.cancel();
        var wrong = new Subscriber();
        watch.subscribe(wrong);
        wrong.subscription.request(0);
        assertThat(wrong.next()).isEqualTo("error request (0) must be positive (rule 3.9)");
        watch.close();
        assertThat(slow.next()).isEqualTo("complete");
        var late = new Subscriber();
        watch.subscribe(late);
        assertThat(late.next()).isEqualTo("complete");
        assertThat(gone.signals).isEmpty();
        assertThat(watch.isLeader()).isFalse();
    }

    @Test
    void a_listener_that_fails_harms_no_other_and_one_taken_off_hears_nothing() throws Exception {
        CountDownLatch goOn = meAndThenAnother();
        try (LeaderWatch watch = watch()) {
            watch.listen(state -> {
                throw new IllegalStateException("as the test wants it");
            });
            var failing = new Subscriber() {
                @Override
                public void onNext(LeaderState state) {
                    super.onNext(state);
                    throw new IllegalStateException("as the test wants it");
                }
            };
            watch.subscribe(failing);
            failing.subscription.request(9);
            heard.until(Role.LEADING);
            var second = new Heard();
            LeaderWatch.Registration registration = watch.listen(second);
            second.until(Role.LEADING);
            registration.close();
            goOn.countDown();
            heard.until(Role.FOLLOWING);
            var third = new Heard();
            watch.listen(third);
            third.until(Role.FOLLOWING);

            assertThat(second.passed()).hasSize(1);
            assertThat(failing.signals).hasSize(1);
        }
    }

    @Test
    void only_a_stream_can_be_watched_and_only_an_address_be_asked() {
        Elector onlyAsks = new Elector.Builder(Addresses.of(Map.of("ELECTOR_GET_URL", base)))
                .name("me")
                .build();
        assertThatThrownBy(onlyAsks::watch).hasMessageContaining("set ELECTOR_SSE_URL");
        Elector onlyListens = new Elector.Builder(Addresses.of(Map.of("ELECTOR_SSE_URL", base)))
                .name("me")
                .build();
        assertThatThrownBy(onlyListens::isLeader).hasMessageContaining("set ELECTOR_GET_URL");
    }

    /** Returns a latch. When it opens, the stream names another leader. */
    private CountDownLatch meAndThenAnother() {
        var goOn = new CountDownLatch(1);
        standIn.on("/sse", (request, out) -> {
            StandIn.streamHead(out);
            StandIn.chunk(out, ME);
            goOn.await();
            StandIn.chunk(out, OTHER);
            standIn.hold();
        });
        return goOn;
    }

    private LeaderWatch watch() {
        LeaderWatch watch = Elector.at(base)
                .name("me")
                .timeout(Duration.ofSeconds(2))
                .maxAge(Duration.ofSeconds(5))
                .build()
                .watch();
        watch.listen(heard);
        return watch;
    }

    private static class Subscriber implements Flow.Subscriber<LeaderState> {
        final LinkedBlockingQueue<String> signals = new LinkedBlockingQueue<>();
        Flow.Subscription subscription;

        String next() throws InterruptedException {
            return signals.poll(60, TimeUnit.SECONDS);
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
        }

        @Override
        public void onNext(LeaderState state) {
            signals.add(state.role().toString());
        }

        @Override
        public void onError(Throwable fault) {
            signals.add("error " + fault.getMessage());
        }

        @Override
        public void onComplete() {
            signals.add("complete");
        }
    }
}
