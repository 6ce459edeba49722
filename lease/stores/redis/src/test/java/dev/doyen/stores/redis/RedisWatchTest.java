package dev.doyen.stores.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RedisWatchTest {

    @Test
    void an_Error_of_a_watcher_does_not_affect_other_watchers() { // L8
        var received = new AtomicInteger();
        var watch = new RedisWatch();
        watch.watch("e", () -> {
            throw new OutOfMemoryError("on purpose");
        });
        watch.watch("e", received::incrementAndGet);
        watch.message("channel", "e");
        watch.subscribed("channel", 1);
        watch.message("channel", "e");

        assertThat(received).hasValue(3);
    }
}
