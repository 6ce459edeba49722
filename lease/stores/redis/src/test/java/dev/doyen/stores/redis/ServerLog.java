package dev.doyen.stores.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Waits for lines in a server's log. */
final class ServerLog {

    private static final int READS = 1500;

    private ServerLog() {}

    /** Waits for at most half a minute until the log contains this text. */
    static void await(Path log, String text) throws Exception {
        for (int i = 0; i < READS && !Files.readString(log).contains(text); i++) {
            new Semaphore(0).tryAcquire(20, TimeUnit.MILLISECONDS);
        }
        assertThat(log).content().contains(text);
    }
}
