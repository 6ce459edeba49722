package dev.doyen.stores.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RedisWatchTest {

    @Test
    void one_who_watches_and_throws_an_Error_keeps_nobody_from_the_news() { // L8
        var heard = new AtomicInteger();
        var watch = new RedisWatch();
        watch.watch("e", () -> {
            throw new OutOfMemoryError("on purpose");
        });
        watch.watch("e", heard::incrementAndGet);
        watch.message("channel", "e");
        watch.subscribed("channel", 1);
        watch.message("channel", "e");

        assertThat(heard).hasValue(3);
    }
}
