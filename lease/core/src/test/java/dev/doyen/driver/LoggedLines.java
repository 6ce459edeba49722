package dev.doyen.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Collects the lines that Doyen logs on the threads of one {@link SystemThreads}. */
final class LoggedLines implements AutoCloseable {

    private static final Logger LOGGER = Logger.getLogger("dev.doyen");

    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final Handler handler;

    /** @param process the name of the {@link SystemThreads}, with which the names of its threads begin */
    LoggedLines(String process) {
        handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                if (Thread.currentThread().getName().startsWith(process + "-")) {
                    lines.add(line.getMessage());
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        LOGGER.addHandler(handler);
    }

    String next() throws InterruptedException {
        String line = lines.poll(30, TimeUnit.SECONDS);
        assertThat(line).as("a line is logged").isNotNull();
        return line;
    }

    @Override
    public void close() {
        LOGGER.removeHandler(handler);
    }
}
