package dev.doyen.cli.run.driver;

import dev.doyen.process.CannotStartException;
import dev.doyen.process.ParentDeath;
import dev.doyen.process.SearchPath;
import dev.doyen.store.support.StoreUrl;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Starts commands without a shell. A command uses the standard streams of this process.
 *
 * <p>If util-linux is installed, a command runs in its own session, and the kernel kills the command when the thread
 * that started the command ends.
 *
 * <p>Threads: call {@link #start} on a thread that runs until this process ends, because the end of the thread kills
 * the command (PR_SET_PDEATHSIG of prctl(2)).
 */
final class Launcher {

    /** The variables with secrets of Doyen's programs. The command does not get these variables. */
    private static final List<String> WITHHELD =
            List.of(StoreUrl.PASSWORD_VARIABLE, "DOYEN_KEY", "DOYEN_KEYS", "DOYEN_ADMIN_KEY", "DOYEN_RING_SECRET");

    private final SearchPath path;
    private final List<String> prefix;
    private final boolean ownSession;

    private Launcher(SearchPath path, List<String> prefix, boolean ownSession) {
        this.path = path;
        this.prefix = List.copyOf(prefix);
        this.ownSession = ownSession;
    }

    /** Returns a launcher that uses setpriv and setsid if this machine has them. */
    static Launcher find(SearchPath path, ProcessTable table) {
        var prefix = new ArrayList<>(ParentDeath.commandPrefix(path, "KILL"));
        var setsid = path.find("setsid").map(Path::toString).filter(any -> table.supportsSessions());
        if (setsid.isPresent()) {
            prefix.add(setsid.get());
        }
        return new Launcher(path, prefix, setsid.isPresent());
    }

    /** Returns true if each command runs in its own session. */
    boolean givesSession() {
        return ownSession;
    }

    /**
     * Starts {@code command} with additional environment variables.
     *
     * <p>The command does not get the variables that contain Doyen's own secrets.
     *
     * @throws CannotStartException if the command cannot be started; the exit code is the one that a shell would return
     */
    Process start(List<String> command, Map<String, String> moreEnvironment) throws CannotStartException {
        path.check(command.get(0));
        var commandLine = new ArrayList<>(prefix);
        commandLine.addAll(command);
        var builder = new ProcessBuilder(commandLine).inheritIO();
        WITHHELD.forEach(builder.environment()::remove);
        builder.environment().putAll(moreEnvironment);
        try {
            return builder.start();
        } catch (IOException e) {
            throw new CannotStartException(
                    CannotStartException.NOT_EXECUTABLE,
                    "the command \"" + command.get(0) + "\" could not be started: " + e.getMessage());
        }
    }

    /**
     * Returns advice on how to enable separate sessions.
     *
     * <p>The result is empty if each command already has its own session.
     */
    static Optional<String> remedy(Launcher launcher) {
        return launcher.givesSession()
                ? Optional.empty()
                : Optional.of("this machine has no setsid: the command is in the process group of this process, so it"
                        + " receives signals from a terminal twice; install util-linux");
    }
}
