package dev.doyen.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.testkit.RefusableThreads;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class DiscoveryRequestsTest {

    @Test
    void a_request_without_a_thread_is_skipped_and_the_next_one_is_sent() throws Exception { // L8
        var refusing = new AtomicBoolean(true);
        var sent = new CountDownLatch(1);
        var requests = new DiscoveryRequests(new RefusableThreads(refusing::get));
        requests.send(sent::countDown);
        refusing.set(false);
        requests.send(() -> {
            throw new OutOfMemoryError("on purpose");
        });
        requests.send(sent::countDown);

        assertThat(sent.await(60, TimeUnit.SECONDS)).isTrue();
    }
}
