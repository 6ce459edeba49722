package dev.doyen.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Records the messages of one logger, in order. */
final class RecordedLog extends Handler implements AutoCloseable {

    private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
    private final Logger logger;

    RecordedLog(Class<?> type) {
        logger = Logger.getLogger(type.getName());
        logger.setUseParentHandlers(false);
        logger.addHandler(this);
    }

    /** Waits for the next message. The test fails if no message arrives within 60 s. */
    String next() throws InterruptedException {
        String message = messages.poll(60, TimeUnit.SECONDS);
        assertThat(message).as("another message arrives").isNotNull();
        return message;
    }

    /** Removes and returns the messages that have arrived. */
    List<String> rest() {
        List<String> all = new ArrayList<>();
        messages.drainTo(all);
        return all;
    }

    @Override
    public void publish(LogRecord line) {
        messages.add(line.getLevel() + " " + line.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setUseParentHandlers(true);
    }
}
