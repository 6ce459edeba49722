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

/**
 * Tests watches of faulty streams over real sockets, with their listeners and subscribers. {@code WatchMachineTest}
 * tests the states that follow from such streams.
 */
class LeaderWatchTest {

    private static final String ME = "data: {\"name\":\"me\",\"last_update\":\"\"}\n\n";
    private static final String OTHER = "data: {\"name\":\"other\",\"last_update\":\"\"}\n\n";

    private final RecordedStates received = new RecordedStates();
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
            received.until(Role.LEADING);

            assertThat(watch.isLeader()).isTrue();
            assertThat(watch.freshFor()).isPositive().isLessThanOrEqualTo(Elector.DEFAULT_MAX_AGE);
            assertThat(received.passed()).extracting(LeaderState::role).endsWith(Role.FOLLOWING, Role.LEADING);
        }
    }

    @Test
    void an_Error_of_a_listener_ends_neither_the_watch_nor_other_listeners() throws Exception { // L8
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
            var later = new RecordedStates();
            watch.listen(later);
            received.until(Role.LEADING);
            later.until(Role.LEADING);
        }
    }

    @Test
    void a_request_that_fails_with_an_Error_has_no_answer() throws Exception { // L8
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
                WatchSettings.CanRequest.YES);
        try (var watch = new LeaderWatch(settings, URI.create(base).resolve("/sse"), () -> {
            throw new OutOfMemoryError("unable to create native thread, on purpose");
        })) {
            watch.listen(received);

            assertThat(opened.await(60, TimeUnit.SECONDS))
                    .as("the stream is reopened, because the request after its silence has no answer")
                    .isTrue();
        }
    }

    @Test
    void a_truncated_event_is_ignored_and_the_stream_is_reopened() throws Exception {
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
            received.until(Role.FOLLOWING);
            received.until(Role.LEADING);

            assertThat(opened).hasValue(2);
            assertThat(watch.isLeader()).isTrue();
        }
    }

    @Test
    void an_endless_line_closes_the_connection() throws Exception {
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
            received.until(Role.LEADING);

            assertThat(closed.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(watch.isLeader()).isTrue();
        }
    }

    @Test
    void requests_replace_a_stream_that_is_rejected_or_never_starts() throws Exception {
        var opened = new AtomicInteger();
        standIn.on("/", StandIn.body(200, "X-Fencing-Token: 3", "{\"name\":\"me\"}"));
        standIn.on("/sse", (request, out) -> {
            if (opened.incrementAndGet() == 1) {
                StandIn.body(503, "Retry-After: 5", "").to(request, out);
            }
            standIn.hold();
        });
        try (LeaderWatch watch = watch()) {
            assertThat(received.until(Role.LEADING).term()).hasValue(3);
            assertThat(watch.isLeader()).isTrue();
            standIn.on("/", StandIn.body(200, "{\"name\":\"other\"}"));
            received.until(Role.FOLLOWING);
        }
    }

    @Test
    void a_silent_connection_ends_the_leadership() throws Exception {
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
            received.until(Role.LEADING);
            received.until(Role.UNKNOWN);

            assertThat(watch.isLeader()).isFalse();
        }
    }

    @Test
    void subscribers_get_the_current_state_and_complete_at_the_close() throws Exception {
        CountDownLatch goOn = meAndThenAnother();
        LeaderWatch watch = watch();
        received.until(Role.LEADING);
        var slow = new Subscriber();
        watch.subscribe(slow);
        slow.subscription.request(1);
        assertThat(slow.next()).isEqualTo("LEADING");
        goOn.countDown();
        received.until(Role.FOLLOWING);
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
    void a_failing_listener_does_not_affect_others_and_a_removed_listener_is_not_called() throws Exception {
        CountDownLatch goOn = meAndThenAnother();
        try (LeaderWatch watch = watch()) {
            watch.listen(state -> {
                throw new IllegalStateException("fails on purpose");
            });
            var failing = new Subscriber() {
                @Override
                public void onNext(LeaderState state) {
                    super.onNext(state);
                    throw new IllegalStateException("fails on purpose");
                }
            };
            watch.subscribe(failing);
            failing.subscription.request(9);
            received.until(Role.LEADING);
            var second = new RecordedStates();
            LeaderWatch.Registration registration = watch.listen(second);
            second.until(Role.LEADING);
            registration.close();
            goOn.countDown();
            received.until(Role.FOLLOWING);
            var third = new RecordedStates();
            watch.listen(third);
            third.until(Role.FOLLOWING);

            assertThat(second.passed()).hasSize(1);
            assertThat(failing.signals).hasSize(1);
        }
    }

    @Test
    void watch_needs_a_stream_url_and_isLeader_needs_a_get_url() {
        Elector requestsOnly = new Elector.Builder(Addresses.of(Map.of("ELECTOR_GET_URL", base)))
                .name("me")
                .build();
        assertThatThrownBy(requestsOnly::watch).hasMessageContaining("set ELECTOR_SSE_URL");
        Elector onlyListens = new Elector.Builder(Addresses.of(Map.of("ELECTOR_SSE_URL", base)))
                .name("me")
                .build();
        assertThatThrownBy(onlyListens::isLeader).hasMessageContaining("set ELECTOR_GET_URL");
    }

    /**
     * Sets the reply to {@code /sse}: a stream that reports this process as the leader. After the test releases the
     * returned latch, the stream reports another leader.
     */
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
        watch.listen(received);
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
