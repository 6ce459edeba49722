package dev.doyen.chaos.random;

import dev.doyen.chaos.random.LedgerLine.What;
import dev.doyen.jvms.JvmProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** A {@link ChaosWorker} in a separate JVM, with its ledger and its log. Threads: one. */
final class ChaosProcess extends JvmProcess {

    private static final long ENDS_WITHIN_SECONDS = 30;

    private final int place;
    private final LedgerReader ledger;
    private volatile boolean joined;
    private long hangsUntil = System.nanoTime();
    private OptionalLong leadsLogSince = OptionalLong.empty();

    private ChaosProcess(String id, int place, Process process, LedgerReader ledger) {
        super(id, process);
        this.place = place;
        this.ledger = ledger;
        onLine(line -> joined |= line.equals("joined"));
    }

    /**
     * Starts the process. The method does not wait until the process is a candidate.
     *
     * <p>The log of the process is in the folder of the ledger.
     *
     * @param place the number of the place at which the process runs
     * @param prefix the command prefix, which can run the command in a network namespace; empty for none
     */
    static ChaosProcess start(ChaosWorker.Arguments arguments, int place, List<String> prefix) throws IOException {
        Path file = Files.createFile(arguments.ledger());
        Path log = file.resolveSibling(arguments.id() + ".log");
        ProcessBuilder builder = JvmProcess.builder(ChaosWorker.class, arguments.asList());
        builder.command()
                .addAll(
                        1,
                        List.of(
                                "-Djava.util.logging.manager=" + LastingLogManager.class.getName(),
                                "-Djava.util.logging.SimpleFormatter.format=%1$tT.%1$tL %4$s %5$s%6$s%n",
                                "-XX:-UsePerfData"));
        builder.command().addAll(0, prefix);
        builder.redirectError(log.toFile());
        return new ChaosProcess(arguments.id(), place, builder.start(), new LedgerReader(file));
    }

    int place() {
        return place;
    }

    /**
     * Returns the time at which the process last began to lead its quorum's log. The result is empty if the process has
     * never led the log.
     */
    OptionalLong leadsLogSince() {
        return leadsLogSince;
    }

    /** Returns true if the process has become a candidate in every election. */
    boolean hasJoined() {
        return joined;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Returns true if, at this stamp, the work of an ended term ignores its interrupt. */
    boolean hangsAt(long stamp) {
        return hangsUntil - stamp > 0;
    }

    /**
     * Sends SIGTERM and waits until the process has ended.
     *
     * @throws IOException if the process does not end in time
     */
    void terminateAndWait() throws IOException, InterruptedException {
        terminate();
        if (!process.waitFor(ENDS_WITHIN_SECONDS, TimeUnit.SECONDS)) {
            throw new IOException(id() + " has not ended " + ENDS_WITHIN_SECONDS + " s after SIGTERM");
        }
    }

    /**
     * Passes each new line of the ledger to {@code to}. New lines are the lines that the process has appended since the
     * last read.
     */
    void read(BiConsumer<String, LedgerLine> to) throws IOException {
        ledger.read(line -> {
            if (line.what() == What.HANGS) {
                hangsUntil = Math.max(hangsUntil, line.value());
            } else if (line.what() == What.LEADS_LOG) {
                leadsLogSince = OptionalLong.of(line.stamp());
            }
            to.accept(id(), line);
        });
    }

    /** Closes the ledger. Must be called after the end of the process. */
    void closeLedger() throws IOException {
        ledger.close();
    }
}
