package dev.doyen.cli.run.driver;

import dev.doyen.process.CannotStartException;
import dev.doyen.process.ParentDeath;
import dev.doyen.process.SearchPath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Starts commands without a shell, with the standard streams of this process.
 *
 * <p>If util-linux is installed, a command runs in its own session, and the kernel kills it when the thread that
 * started it ends.
 *
 * <p>Threads: call {@link #start} on a thread that lives as long as the process, because of PR_SET_PDEATHSIG in
 * prctl(2).
 */
final class Launcher {

    private final SearchPath path;
    private final List<String> prefix;
    private final boolean ownSession;

    private Launcher(SearchPath path, List<String> prefix, boolean ownSession) {
        this.path = path;
        this.prefix = List.copyOf(prefix);
        this.ownSession = ownSession;
    }

    /** Finds the programs of this machine that can start commands. */
    static Launcher find(SearchPath path, ProcessTable table) {
        var prefix = new ArrayList<>(ParentDeath.words(path, "KILL"));
        var setsid = path.find("setsid").map(Path::toString).filter(any -> table.knowsSessions());
        if (setsid.isPresent()) {
            prefix.add(setsid.get());
        }
        return new Launcher(path, prefix, setsid.isPresent());
    }

    /** Whether commands run in their own session. */
    boolean givesSession() {
        return ownSession;
    }

    /**
     * Starts {@code command} with additional environment variables.
     *
     * @throws CannotStartException with the message and exit code of a shell
     */
    Process start(List<String> command, Map<String, String> moreEnvironment) throws CannotStartException {
        path.check(command.get(0));
        var words = new ArrayList<>(prefix);
        words.addAll(command);
        var builder = new ProcessBuilder(words).inheritIO();
        builder.environment().putAll(moreEnvironment);
        try {
            return builder.start();
        } catch (IOException e) {
            throw new CannotStartException(
                    CannotStartException.NOT_EXECUTABLE,
                    "the command \"" + command.get(0) + "\" could not be started: " + e.getMessage());
        }
    }

    /** Returns advice for the user on how to get separate sessions; empty if commands have one. */
    static Optional<String> remedy(Launcher launcher) {
        return launcher.givesSession()
                ? Optional.empty()
                : Optional.of(
                        "no setsid on this machine: the command shares this process's group, so signals typed in a"
                                + " terminal reach it twice; install util-linux");
    }
}
