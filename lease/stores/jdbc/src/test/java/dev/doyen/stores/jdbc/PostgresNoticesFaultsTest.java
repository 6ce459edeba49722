package dev.doyen.stores.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.testkit.RefusableThreads;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Tests the listener if connecting throws an Error, or if its thread cannot be started. */
class PostgresNoticesFaultsTest {

    private final CountDownLatch opened = new CountDownLatch(2);
    private final AtomicBoolean refusing = new AtomicBoolean();

    /** Every attempt to connect throws an Error. */
    private final PostgresNotices notices = new PostgresNotices(
            () -> {
                opened.countDown();
                throw new OutOfMemoryError("on purpose");
            },
            "channel",
            Duration.ofSeconds(1),
            DriverFaults.ofDataSource(),
            new RefusableThreads(refusing::get));

    @Test
    void after_an_Error_it_listens_again() throws Exception { // L8
        try (notices) {
            assertThat(notices.watch("e", () -> {})).isPresent();

            assertThat(opened.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void the_next_watch_starts_a_thread_that_was_refused() throws Exception { // L8
        try (notices) {
            refusing.set(true);
            assertThat(notices.watch("e", () -> {})).isEmpty();
            refusing.set(false);
            assertThat(notices.watch("e", () -> {})).isPresent();

            assertThat(opened.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }
}
