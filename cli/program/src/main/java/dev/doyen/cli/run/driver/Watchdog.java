package dev.doyen.cli.run.driver;

import dev.doyen.process.SearchPath;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A separate process that kills the command if this process cannot.
 *
 * <p>The watchdog kills the command if this process ends, or if the lease expires while this process is suspended or
 * delayed.
 *
 * <p>The watchdog is a shell that reads a pipe. A line {@code PID SECONDS} sets the deadline after which the watchdog
 * kills the command with this pid. Each further line replaces the deadline, and a line {@code -} cancels the deadline.
 * The end of the pipe means that this process has ended. If the deadline passes, the watchdog prints a line before it
 * kills the command. This output distinguishes the kill from an exit of the command. Threads: one.
 */
final class Watchdog implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.doyen");

    /**
     * The shell script of the watchdog.
     *
     * <p>$1 is the entry that marks the environment of the command's processes. $2 is the directory of the state file.
     *
     * <p>After the end of the pipe, the watchdog also removes the state file and its directory. The timer is a subshell
     * that ends its sleep when it receives ALRM. Only the watchdog sends ALRM. If ALRM arrives before the trap is set,
     * the signal ends the subshell by default.
     */
    private static final String SCRIPT = """
            mark=$1 directory=$2 timer= pid=- last=
            trap '' HUP INT QUIT PIPE TERM USR1 USR2
            end() {
              if [ -n "$1" ]; then kill -KILL -- "-$1" || kill -KILL "$1"; fi 2>/dev/null
              rounds=0
              while [ $rounds -lt 50 ]; do
                left=$(grep -lasF "$mark" /proc/[0-9]*/environ 2>/dev/null)
                [ -n "$left" ] || break
                for each in $left; do each=${each#/proc/}; kill -KILL "${each%/environ}" 2>/dev/null; done
                rounds=$((rounds + 1))
              done
            }
            watch() {
              nap=
              trap 'kill -KILL $nap 2>/dev/null; exit' ALRM
              sleep "$2" & nap=$!
              wait $nap
              echo fired
              end "$1"
            }
            while read -r pid seconds; do
              if [ -n "$timer" ]; then kill -ALRM $timer 2>/dev/null; wait $timer 2>/dev/null; fi
              timer= last=
              if [ "$pid" != - ]; then last=$pid; watch "$pid" "$seconds" & timer=$!; fi
            done
            [ -z "$timer" ] || kill -ALRM $timer 2>/dev/null
            end "$last"
            rm -f "$directory/state"
            rmdir "$directory" 2>/dev/null
            """;

    private final Process process;
    private final OutputStream pipe;
    private boolean broken;

    private Watchdog(Process process) {
        this.process = process;
        this.pipe = process.getOutputStream();
    }

    /** Starts a watchdog. If no shell is available, the method logs a warning and returns an empty result. */
    static Optional<Watchdog> start(SearchPath path, String mark, Path stateDirectory) {
        var command = new ArrayList<String>();
        // The watchdog runs in a new session, so that signals of the terminal do not reach it.
        path.find("setsid").map(Path::toString).ifPresent(command::add);
        command.addAll(List.of("sh", "-c", SCRIPT, "doyen-watchdog", mark, stateDirectory.toString()));
        try {
            return Optional.of(new Watchdog(new ProcessBuilder(command)
                    .directory(Path.of("/").toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()));
        } catch (IOException e) {
            LOG.log(
                    Level.WARNING,
                    "the watchdog could not be started (" + e.getMessage()
                            + "); if this process is killed, the command may continue to run");
            return Optional.empty();
        }
    }

    /**
     * Sets the deadline: the watchdog kills the command and its processes after {@code left}. Another call replaces
     * the deadline.
     */
    void watchdog(long pid, Duration left) {
        report(String.format(Locale.ROOT, "%d %.3f\n", pid, left.toMillis() / 1000.0));
    }

    /** Cancels the deadline. */
    void release() {
        report("-\n");
    }

    /** Returns true if the watchdog has killed the command because the deadline has passed. */
    boolean hasFired() {
        try {
            return process.getInputStream().available() > 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Clears the result of {@link #hasFired}. */
    void reset() {
        try {
            var output = process.getInputStream();
            output.skipNBytes(output.available());
        } catch (IOException e) {
            // The watchdog has ended and prints nothing more.
        }
    }

    @Override
    public void close() {
        try {
            pipe.close();
        } catch (IOException e) {
            // The watchdog has ended already.
        }
    }

    private void report(String line) {
        if (broken) {
            return;
        }
        try {
            pipe.write(line.getBytes(StandardCharsets.US_ASCII));
            pipe.flush();
        } catch (IOException e) {
            broken = true;
            LOG.log(
                    Level.WARNING,
                    "the watchdog has ended; if this process is killed, the command may continue to run");
        }
    }
}
