package dev.doyen.server.run.driver;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Starts commands as they are written, without a shell, on this process's standard streams; in a session of their own,
 * and bound to die with the thread that started them, where util-linux is installed.
 *
 * <p>Threads: {@link #start} is called on a thread that lives as long as the process, for the kernel ends what it
 * started when that thread ends (PR_SET_PDEATHSIG in prctl(2)).
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

    /** Finds out what this machine has to start commands with. */
    static Launcher find(SearchPath path, ProcessTable table) {
        var prefix = new ArrayList<>(ParentDeath.words(path, "KILL"));
        var setsid = path.find("setsid").map(Path::toString).filter(any -> table.knowsSessions());
        if (setsid.isPresent()) {
            prefix.add(setsid.get());
        }
        return new Launcher(path, prefix, setsid.isPresent());
    }

    /** Whether commands get a session of their own. */
    boolean givesSession() {
        return ownSession;
    }

    /**
     * Starts {@code command} with more in its environment.
     *
     * @throws CannotStartException with what a shell would say
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

    /** Where a session is to be had, for a sentence to its user. */
    static Optional<String> remedy(Launcher launcher) {
        return launcher.givesSession()
                ? Optional.empty()
                : Optional.of(
                        "no setsid on this machine: the command shares this process's group, so signals typed in a"
                                + " terminal reach it twice; install util-linux");
    }
}
