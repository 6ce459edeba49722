package dev.doyen.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Makes the kernel signal a process when the thread that started it ends.
 *
 * <p>It uses PR_SET_PDEATHSIG of prctl(2) through setpriv of util-linux, which keeps the pid of the command.
 */
public final class ParentDeath {

    private static final long PROBE_PATIENCE_SECONDS = 5;

    private ParentDeath() {}

    /**
     * Returns the words to put before a command; empty if this system does not support it.
     *
     * @param signal the signal's name without SIG
     */
    public static List<String> words(SearchPath path, String signal) {
        return path.find("setpriv")
                .map(Path::toString)
                .map(setpriv -> List.of(setpriv, "--pdeathsig", signal, "--"))
                .filter(ParentDeath::works)
                .orElse(List.of());
    }

    /** Some versions of setpriv, and some containers, do not support it. */
    private static boolean works(List<String> words) {
        var probe = new ArrayList<>(words);
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
