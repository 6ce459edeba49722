package dev.doyen.hub.server.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.hub.connection.ConnectRequest;
import dev.doyen.hub.server.claims.StrictClaims;
import dev.doyen.hub.step.SessionId;
import dev.doyen.hub.step.SlotStepDown;
import dev.doyen.hub.wire.FrameCodec;
import dev.doyen.testkit.LogLines;
import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the loop with a hub that throws Errors, a session that fails, and a loop that has stopped. */
@Timeout(60)
final class HubLoopFaultsTest {

    private final FakeHub fake = new FakeHub();
    private final HubLoop loop = loop();

    private HubLoop loop() {
        return fake.loop(new FrameCodec(1_024), StrictClaims.withElection("x"));
    }

    @AfterEach
    void stop() {
        loop.stop();
    }

    @Test
    void a_caller_is_notified_of_a_failure_of_the_hub() { // L8
        assertThatThrownBy(() -> loop.logged(List.of()).get(30, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseInstanceOf(AssertionError.class);
    }

    @Test
    void a_hub_that_fails_in_a_timer_is_woken_again() throws Exception { // L8
        fake.failWakes(2);
        fake.wakeAt(System.nanoTime());
        loop.look(hub -> {});

        assertThat(fake.nextInput()).isEqualTo("woken");
    }

    @Test
    void a_failed_input_does_not_affect_other_inputs() throws Exception { // L8
        var called = new CountDownLatch(1);
        fake.wakeAt(System.nanoTime());
        loop.look(hub -> {
            throw new OutOfMemoryError("on purpose");
        });
        assertThat(fake.nextInput())
                .as("the timer is set in spite of the failure")
                .isEqualTo("woken");
        loop.look(hub -> called.countDown());

        assertThat(called.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void a_fault_of_a_session_is_logged_and_closes_the_socket() {
        try (var log = new LogLines("a WebSocket session failed")) {
            var socket = new EmbeddedChannel();
            socket.pipeline()
                    .addLast(new Session(
                            new SessionId(1),
                            ConnectRequest.of(Map.of(), ""),
                            socket,
                            new FrameCodec(1_024),
                            SessionLimits.DEFAULT,
                            loop));
            socket.pipeline().fireExceptionCaught(new IllegalStateException("on purpose, in a session"));

            assertThat(socket.isOpen()).isFalse();
            assertThat(log.lines()).hasSize(1);
        }
    }

    @Test
    void a_stopped_hub_answers_waiting_callers() throws Exception {
        var ended = loop();
        ended.stop();

        ended.logged(List.of()).get(30, TimeUnit.SECONDS);
        ended.outOfTouch("on purpose").get(30, TimeUnit.SECONDS);
        assertThatThrownBy(() -> ended.stepDown("x", new SlotStepDown("", Duration.ZERO, "on purpose"))
                        .get(30, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseMessage("the hub has stopped");
    }

    private static ByteBuf nextFrame(EmbeddedChannel channel) {
        ByteBuf frame = channel.readOutbound();
        while (frame == null && !Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
            channel.runPendingTasks();
            frame = channel.readOutbound();
        }
        return frame;
    }

    @Test
    void a_stopped_hub_disconnects_a_new_client() {
        var ended = loop();
        ended.stop();
        var channel = new EmbeddedChannel();
        var connect = ConnectRequest.of(Map.of(), "");
        ended.opened(
                new Session(new SessionId(1), connect, channel, new FrameCodec(1_024), SessionLimits.DEFAULT, ended),
                connect);

        nextFrame(channel).release(); // the last ping
        ByteBuf frame = nextFrame(channel);
        assertThat(frame.toString(StandardCharsets.UTF_8)).contains("\"action\":6", "the hub is shutting down");
        frame.release();
        channel.releaseOutbound();
    }

    @Test
    void a_failure_of_the_hub_does_not_stop_the_thread_that_downloads_keys() throws Exception {
        assertThat(CompletableFuture.supplyAsync(() -> loop.takeUnknownKey("fails"))
                        .get(30, TimeUnit.SECONDS))
                .isFalse();
    }

    @Test
    void callers_are_answered_when_the_hub_stops() throws Exception {
        var ending = loop();
        var stopped = new CountDownLatch(1);
        new Thread(() -> {
                    ending.stop();
                    stopped.countDown();
                })
                .start();
        do {
            // Whether the step-down succeeds depends on the moment at which the hub stops.
            ending.stepDown("x", new SlotStepDown("", Duration.ZERO, "on purpose"))
                    .handle((done, fault) -> "answered")
                    .get(30, TimeUnit.SECONDS);
        } while (stopped.getCount() > 0);
    }
}
