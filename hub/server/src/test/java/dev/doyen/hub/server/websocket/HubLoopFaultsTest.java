package dev.doyen.hub.server.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.hub.server.claims.StrictClaims;
import dev.doyen.hub.step.SlotStepDown;
import dev.doyen.hub.wire.FrameCodec;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the loop with a hub that throws Errors, and after it has stopped. */
@Timeout(60)
final class HubLoopFaultsTest {

    private final FakeHub fake = new FakeHub();
    private final HubLoop loop = loop();

    private HubLoop loop() {
        return fake.loop(new FrameCodec(1_024), StrictClaims.knowing("x"));
    }

    @AfterEach
    void stop() {
        loop.stop();
    }

    @Test
    void who_waits_for_what_the_hub_fails_on_is_told_so() { // L8
        assertThatThrownBy(() -> loop.logged(List.of()).get(30, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseInstanceOf(AssertionError.class);
    }

    @Test
    void a_hub_that_fails_on_the_passing_of_time_is_woken_again() throws Exception { // L8
        fake.failWakes(2);
        fake.wakeAt(System.nanoTime());
        loop.look(hub -> {});

        assertThat(fake.told()).isEqualTo("woken");
    }

    @Test
    void an_input_that_fails_keeps_the_hub_from_nothing_else() throws Exception { // L8
        var looked = new CountDownLatch(1);
        fake.wakeAt(System.nanoTime());
        loop.look(hub -> {
            throw new OutOfMemoryError("on purpose");
        });
        assertThat(fake.told()).as("the alarm is set all the same").isEqualTo("woken");
        loop.look(hub -> looked.countDown());

        assertThat(looked.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void a_hub_that_has_stopped_answers_who_waits_for_it() throws Exception {
        var ended = loop();
        ended.stop();

        ended.logged(List.of()).get(30, TimeUnit.SECONDS);
        ended.outOfTouch("on purpose").get(30, TimeUnit.SECONDS);
        assertThatThrownBy(() -> ended.stepDown("x", new SlotStepDown("", Duration.ZERO, "on purpose"))
                        .get(30, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseMessage("the hub has stopped");
    }

    @Test
    void who_waits_for_a_hub_that_stops_at_once_is_answered() throws Exception {
        var ending = loop();
        var stopped = new CountDownLatch(1);
        new Thread(() -> {
                    ending.stop();
                    stopped.countDown();
                })
                .start();
        do {
            // Its outcome depends on the moment at which the hub stops.
            ending.stepDown("x", new SlotStepDown("", Duration.ZERO, "on purpose"))
                    .handle((done, fault) -> "answered")
                    .get(30, TimeUnit.SECONDS);
        } while (stopped.getCount() > 0);
    }
}
