package dev.doyen.stores.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** What a server writes about itself. */
final class ServerLog {

    private static final int LOOKS = 1500;

    private ServerLog() {}

    /** Waits, half a minute at most, until the log says so. */
    static void await(Path log, String said) throws Exception {
        for (int i = 0; i < LOOKS && !Files.readString(log).contains(said); i++) {
            new Semaphore(0).tryAcquire(20, TimeUnit.MILLISECONDS);
        }
        assertThat(log).content().contains(said);
    }
}
