package dev.doyen.hub.server.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.Promise;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests when a wheel calls the sessions of an event loop. Only the test advances the clock. */
class PulseWheelTest {

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final PulseWheel wheel = new PulseWheel(channel.eventLoop(), 1_000);
    private final Map<String, Integer> calls = new HashMap<>();

    PulseWheelTest() {
        channel.freezeTime();
    }

    private Promise<Void> add(String name) {
        Promise<Void> closed = channel.eventLoop().newPromise();
        wheel.add(() -> calls.merge(name, 1, Integer::sum), closed);
        return closed;
    }

    private void pass(int millis) {
        for (int i = 0; i < millis; i += 250) {
            channel.advanceTimeBy(250, TimeUnit.MILLISECONDS);
            channel.runScheduledPendingTasks();
        }
    }

    @Test
    void each_session_is_called_once_per_interval() {
        add("first");
        pass(250);
        add("second");
        pass(500);
        assertThat(calls).isEmpty();
        pass(250);
        assertThat(calls).isEqualTo(Map.of("first", 1));
        pass(250);
        assertThat(calls).isEqualTo(Map.of("first", 1, "second", 1));
        pass(10_000);
        assertThat(calls).isEqualTo(Map.of("first", 11, "second", 11));
    }

    @Test
    void a_thousand_sessions_share_one_timer_that_ends_with_the_last_session() {
        List<Promise<Void>> sessions = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            sessions.add(add("session-" + i));
        }
        pass(1_000);
        assertThat(calls).hasSize(1_000);
        assertThat(channel.runScheduledPendingTasks())
                .as("all sessions share one timer")
                .isPositive();

        sessions.forEach(closed -> closed.setSuccess(null));
        channel.runPendingTasks();
        calls.clear();
        pass(2_000);
        assertThat(calls).isEmpty();
        assertThat(channel.runScheduledPendingTasks()).as("no timer remains").isEqualTo(-1);
    }

    @Test
    void a_session_that_fails_or_closes_while_it_is_called_does_not_stop_the_others() {
        Promise<Void> closed = channel.eventLoop().newPromise();
        wheel.add(
                () -> {
                    closed.setSuccess(null);
                    throw new IllegalStateException("fails on purpose");
                },
                closed);
        add("other");
        pass(2_000);
        assertThat(calls).isEqualTo(Map.of("other", 2));
    }
}
