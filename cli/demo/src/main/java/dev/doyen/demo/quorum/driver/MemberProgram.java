package dev.doyen.demo.quorum.driver;

import dev.doyen.Election;
import dev.doyen.demo.quorum.ChildCommand;
import dev.doyen.demo.quorum.ChildLine;
import dev.doyen.demo.quorum.Demonstration;
import dev.doyen.demo.quorum.JsonLines;
import dev.doyen.demo.quorum.MemberReport;
import dev.doyen.log.FaultLog;
import dev.doyen.process.ProcessSignals;
import dev.doyen.process.RunSignal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;

/**
 * The program of one member, which is a voter and a candidate.
 *
 * <p>The process prints {@link ChildLine}s and reads {@link ChildCommand}s, one JSON document on each line. The end of
 * the standard input means that the parent process has ended unexpectedly. In this case the process deletes the
 * demonstration's directory and exits.
 *
 * <p>Threads: the main thread runs the candidate. One thread reads the commands, and one thread prints a report at
 * regular intervals.
 */
public final class MemberProgram {

    /** The election of the members. */
    static final String ELECTION = "demo";

    /** The time after which a silent leader is replaced. */
    static final Duration TTL = Duration.ofSeconds(3);

    private static final System.Logger LOG = System.getLogger("dev.doyen");
    /**
     * The logger of MicroRaft, which logs each vote. This field keeps the logger referenced, because the JDK loses
     * the level of a garbage-collected logger.
     */
    private static final Logger MICRORAFT = Logger.getLogger("io.microraft");

    private static final long REPORT_MILLIS = 200;

    private final PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    private final FaultLog faults = new FaultLog(LOG);
    private final MemberArguments arguments;
    private final CompletableFuture<OwnMember> member = new CompletableFuture<>();

    private MemberProgram(MemberArguments arguments) {
        this.arguments = arguments;
    }

    /**
     * Runs a member until the process ends.
     *
     * @param arguments the command-line arguments, which {@link MemberArguments} defines
     */
    public static void main(String[] arguments) {
        Logger.getLogger("").setLevel(java.util.logging.Level.WARNING);
        MICRORAFT.setLevel(java.util.logging.Level.OFF);
        // Ctrl-C in a terminal signals all processes of the demonstration. This process ignores the signal, because the
        // parent process ends this process.
        ProcessSignals.catchOnly(List.of(RunSignal.INT), signal -> {});
        var program = new MemberProgram(MemberArguments.read(arguments));
        daemon(program::readCommands).start();
        try {
            program.run();
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "this member cannot take part: " + e);
            program.print(ChildLine.failed(String.valueOf(e.getMessage())));
            Runtime.getRuntime().halt(1);
        }
    }

    private void run() {
        OwnMember own = OwnMember.open(arguments);
        member.complete(own);
        var election = Election.lease(ELECTION).store(own.store()).ttl(TTL).open();
        var candidate = new CountingCandidate(
                election, Demonstration.idOf(arguments.number()), counting -> report(own, counting));
        Executors.newSingleThreadScheduledExecutor(MemberProgram::daemon)
                .scheduleAtFixedRate(
                        () -> faults.survives("a report", () -> report(own, candidate)),
                        0,
                        REPORT_MILLIS,
                        TimeUnit.MILLISECONDS);
        while (!Thread.currentThread().isInterrupted()) {
            // If {@code run} throws, the candidate resigns. The next iteration of the loop makes it campaign again.
            faults.survives("the count", candidate::run);
        }
    }

    /** Prints a report. Two threads print reports. The lock prevents an older report from following a newer report. */
    private synchronized void report(OwnMember own, CountingCandidate candidate) {
        CountingCandidate.Snapshot snapshot = candidate.snapshot();
        print(ChildLine.of(new MemberReport(snapshot.atNanos(), snapshot.candidacy(), own.status())));
    }

    private void readCommands() {
        try (var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                carryOut(JsonLines.read(line, ChildCommand.class));
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "the commands ended", e);
        }
        arguments.folder().delete();
        Runtime.getRuntime().halt(0);
    }

    private void carryOut(ChildCommand command) {
        OwnMember own = member.join();
        switch (command.what()) {
            case DISCONNECT -> own.disconnect();
            case RECONNECT -> own.reconnect();
        }
        print(ChildLine.of(new ChildLine.Answer(command.number())));
    }

    private synchronized void print(ChildLine line) {
        out.println(JsonLines.write(line));
        out.flush();
    }

    private static Thread daemon(Runnable work) {
        var thread = new Thread(work, "doyen-demo-member");
        thread.setDaemon(true);
        return thread;
    }
}
