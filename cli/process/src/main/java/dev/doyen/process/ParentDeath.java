package dev.doyen.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Arranges that the kernel signals a process when the thread that started the process ends.
 *
 * <p>The class uses PR_SET_PDEATHSIG of prctl(2) through the program setpriv of util-linux. The program setpriv
 * replaces itself with the command, so the pid of the started process is the pid of the command.
 */
public final class ParentDeath {

    private static final long PROBE_PATIENCE_SECONDS = 5;

    private ParentDeath() {}

    /**
     * Returns the arguments to put before a command.
     *
     * <p>The list is empty if this system cannot send the signal.
     *
     * @param signal the signal's name without SIG
     */
    public static List<String> commandPrefix(SearchPath path, String signal) {
        return path.find("setpriv")
                .map(Path::toString)
                .map(setpriv -> List.of(setpriv, "--pdeathsig", signal, "--"))
                .filter(ParentDeath::works)
                .orElse(List.of());
    }

    /**
     * Returns true if a command with this prefix starts. Some versions of setpriv and some containers do not support
     * {@code --pdeathsig}.
     */
    private static boolean works(List<String> prefix) {
        var probe = new ArrayList<>(prefix);
        probe.add("true");
        try {
            var process = new ProcessBuilder(probe)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(PROBE_PATIENCE_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
