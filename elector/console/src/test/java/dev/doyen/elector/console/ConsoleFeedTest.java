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

/** Viewers receive an event each second; without a viewer no content is built. */
class ConsoleFeedTest {

    private final CountingContent scene = new CountingContent();
    private final EmbeddedChannel clock = new EmbeddedChannel();
    private final ConsoleFeed<String> feed;

    private static final class CountingContent implements ConsoleContent<String> {
        private final List<String> made = new ArrayList<>();
        private int looks;
        private boolean failing;

        @Override
        public void look(Consumer<Function<String, String>> observer) {
            looks++;
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
        feed = new ConsoleFeed<>(scene, clock.eventLoop());
    }

    @Test
    void while_nobody_looks_nothing_is_put_together() {
        pass(10);
        assertThat(scene.looks).isZero();

        EmbeddedChannel watcher = watch("ann");
        pass(3);
        assertThat(heard(watcher)).hasSize(4).containsOnly("data: {\"of\":\"ann\"}\n\n");
        assertThat(scene.made).hasSize(4);

        watcher.close();
        int before = scene.looks;
        pass(10);
        assertThat(scene.looks).isEqualTo(before);
    }

    @Test
    void after_a_look_that_failed_with_an_Error_comes_the_next() { // L8
        EmbeddedChannel watcher = watch("ann");
        scene.failing = true;
        pass(3);

        assertThat(scene.failing).isFalse();
        assertThat(heard(watcher)).as("at first, and at two of three looks").hasSize(3);
    }

    @Test
    void what_is_the_same_for_several_is_put_together_once() {
        EmbeddedChannel one = watch("ann");
        EmbeddedChannel other = watch("ann");
        EmbeddedChannel third = watch("ben");
        scene.made.clear();
        pass(1);
        assertThat(scene.made).containsExactlyInAnyOrder("ann", "ben");
        assertThat(heard(one)).hasSize(2);
        assertThat(heard(other)).hasSize(2);
        assertThat(heard(third)).hasSize(2).containsOnly("data: {\"of\":\"ben\"}\n\n");
    }

    @Test
    void one_too_many_is_not_let_in_until_another_has_gone() {
        var watchers = new ArrayList<EmbeddedChannel>();
        for (int i = 0; i < ConsoleFeed.MAX_WATCHERS; i++) {
            watchers.add(watch("ann"));
        }
        assertThat(feed.admits()).isFalse();
        watchers.get(3).close();
        assertThat(feed.admits()).isTrue();
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

    private static List<String> heard(EmbeddedChannel watcher) {
        var heard = new ArrayList<String>();
        for (ByteBufHolder event = watcher.readOutbound(); event != null; event = watcher.readOutbound()) {
            heard.add(event.content().toString(StandardCharsets.UTF_8));
            event.release();
        }
        return heard;
    }
}
