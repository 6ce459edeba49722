package dev.doyen.server.run.driver;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Lets the kernel send a process a signal when the thread that started it ends (PR_SET_PDEATHSIG in prctl(2)), where
 * util-linux is installed. The pid is the command's own.
 */
public final class ParentDeath {

    private static final long PROBE_PATIENCE_SECONDS = 5;

    private ParentDeath() {}

    /**
     * Returns the words to write before a command; none if this system cannot do it.
     *
     * @param signal its name without SIG
     */
    public static List<String> words(SearchPath path, String signal) {
        return path.find("setpriv")
                .map(Path::toString)
                .map(setpriv -> List.of(setpriv, "--pdeathsig", signal, "--"))
                .filter(ParentDeath::works)
                .orElse(List.of());
    }

    /** Not every setpriv can do it, and not every container allows it. */
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
