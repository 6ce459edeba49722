package dev.doyen.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.testkit.RefusableThreads;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class DiscoveryRequestsTest {

    @Test
    void without_a_thread_it_is_not_asked_now_and_the_next_time_it_is() throws Exception { // L8
        var refusing = new AtomicBoolean(true);
        var asked = new CountDownLatch(1);
        var requests = new DiscoveryRequests(new RefusableThreads(refusing::get));
        requests.ask(asked::countDown);
        refusing.set(false);
        requests.ask(() -> {
            throw new OutOfMemoryError("on purpose");
        });
        requests.ask(asked::countDown);

        assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();
    }
}
