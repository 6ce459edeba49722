package dev.doyen.elector.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufHolder;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Tests that viewers receive an event each second, and that the feed builds no content without viewers. */
class ConsoleFeedTest {

    private final CountingContent content = new CountingContent();
    private final EmbeddedChannel clock = new EmbeddedChannel();
    private final ConsoleFeed<String> feed;

    private static final class CountingContent implements ConsoleContent<String> {
        private final List<String> made = new ArrayList<>();
        private int snapshots;
        private boolean failing;

        @Override
        public void look(Consumer<Function<String, String>> observer) {
            snapshots++;
            if (failing) {
                failing = false;
                throw new OutOfMemoryError("on purpose");
            }
            observer.accept(known -> {
                made.add(known);
                return "{\"of\":\"" + known + "\"}";
            });
        }
    }

    ConsoleFeedTest() {
        clock.freezeTime();
        feed = new ConsoleFeed<>(content, clock.eventLoop());
    }

    @Test
    void without_an_open_console_no_snapshot_is_taken() {
        pass(10);
        assertThat(content.snapshots).isZero();

        EmbeddedChannel watcher = watch("ann");
        pass(3);
        assertThat(received(watcher)).hasSize(4).containsOnly("data: {\"of\":\"ann\"}\n\n");
        assertThat(content.made).hasSize(4);

        watcher.close();
        int before = content.snapshots;
        pass(10);
        assertThat(content.snapshots).isEqualTo(before);
    }

    @Test
    void an_Error_in_a_snapshot_does_not_stop_the_next_one() { // L8
        EmbeddedChannel watcher = watch("ann");
        content.failing = true;
        pass(3);

        assertThat(content.failing).isFalse();
        assertThat(received(watcher))
                .as("the first snapshot and two of the next three arrive")
                .hasSize(3);
    }

    @Test
    void several_consoles_share_one_snapshot() {
        EmbeddedChannel one = watch("ann");
        EmbeddedChannel other = watch("ann");
        EmbeddedChannel third = watch("ben");
        content.made.clear();
        pass(1);
        assertThat(content.made).containsExactlyInAnyOrder("ann", "ben");
        assertThat(received(one)).hasSize(2);
        assertThat(received(other)).hasSize(2);
        assertThat(received(third)).hasSize(2).containsOnly("data: {\"of\":\"ben\"}\n\n");
    }

    @Test
    void a_console_above_the_limit_is_rejected_until_another_closes() {
        var watchers = new ArrayList<EmbeddedChannel>();
        for (int i = 0; i < ConsoleFeed.MAX_WATCHERS; i++) {
            watchers.add(watch("ann"));
        }
        assertThat(feed.admits()).isFalse();
        watchers.get(3).close();
        assertThat(feed.admits()).isTrue();
    }

    @Test
    void a_console_that_is_closed_before_its_first_event_gets_none() {
        assertThat(feed.admits()).isTrue();
        var closed = new EmbeddedChannel();
        closed.close();

        feed.watch(closed, "ann");

        watch("ben");
        pass(1);
        assertThat(content.made).containsOnly("ben");
        assertThat(feed.viewers()).isEqualTo(1);
    }

    private EmbeddedChannel watch(String known) {
        assertThat(feed.admits()).isTrue();
        var socket = new EmbeddedChannel();
        feed.watch(socket, known);
        return socket;
    }

    private void pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            clock.advanceTimeBy(1, TimeUnit.SECONDS);
            clock.runScheduledPendingTasks();
        }
    }

    private static List<String> received(EmbeddedChannel watcher) {
        var received = new ArrayList<String>();
        for (ByteBufHolder event = watcher.readOutbound(); event != null; event = watcher.readOutbound()) {
            received.add(event.content().toString(StandardCharsets.UTF_8));
            event.release();
        }
        return received;
    }
}
