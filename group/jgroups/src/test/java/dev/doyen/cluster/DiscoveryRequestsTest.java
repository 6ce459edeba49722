package dev.doyen.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.testkit.RefusableThreads;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class InquiriesTest {

    @Test
    void without_a_thread_it_is_not_asked_now_and_the_next_time_it_is() throws Exception { // L8
        var refusing = new AtomicBoolean(true);
        var asked = new CountDownLatch(1);
        var inquiries = new Inquiries(new RefusableThreads(refusing::get));
        inquiries.ask(asked::countDown);
        refusing.set(false);
        inquiries.ask(() -> {
            throw new OutOfMemoryError("on purpose");
        });
        inquiries.ask(asked::countDown);

        assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();
    }
}
