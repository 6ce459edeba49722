package dev.doyen.drills.chaos;

import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Detects in MicroRaft's log that this process begins to lead the log of its quorum. */
final class LogLeaderHandler extends Handler {

    private static final String NOW_LEADER = "We are the LEADER!";

    /** A constant, because the JDK forgets the handlers of a logger that nothing references. */
    private static final Logger LIBRARY = Logger.getLogger("io.microraft");

    private final Runnable onLeader;

    private LogLeaderHandler(Runnable onLeader) {
        this.onLeader = onLeader;
    }

    /**
     * Installs the handler.
     *
     * @param onLeader called on a thread of the member
     */
    static void install(Runnable onLeader) {
        LIBRARY.addHandler(new LogLeaderHandler(onLeader));
    }

    @Override
    public void publish(LogRecord line) {
        if (line.getMessage().contains(NOW_LEADER)) {
            onLeader.run();
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
