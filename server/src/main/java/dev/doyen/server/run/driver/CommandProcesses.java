package dev.doyen.server.run.driver;

import dev.doyen.server.run.RunSignal;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Everything that one start of the command brought to life, to be signalled and to be seen gone. Threads: one.
 *
 * <p>A process is found by the command's session, by its parents, and by the run's mark in the environment it was
 * started with. One that left the session, whose parents have ended and that cleared its environment is found by none.
 */
final class CommandProcesses {

    private static final System.Logger LOG = System.getLogger("dev.doyen");
    private static final long SIGNAL_PATIENCE_SECONDS = 2;

    private final ProcessTable table;
    private final CommandTree tree;
    private final String mark;

    /** @param mark the entry in the environment that all of them were started with */
    CommandProcesses(ProcessTable table, long root, boolean ownSession, String mark) {
        this.table = table;
        this.tree = new CommandTree(root, ownSession);
        this.mark = mark;
    }

    /** True if anything of it lives. */
    boolean live() {
        return !tree.members(table.living()).isEmpty() || !marked().isEmpty();
    }

    /** Hands a signal on to the command's group. */
    void forward(RunSignal signal) {
        send(signal.name(), tree.group(tree.members(table.living())));
    }

    void terminate() {
        send("TERM", tree.targets(marked()));
    }

    void kill() {
        var members = marked();
        // At once, by group: what forks meanwhile is caught too. Then one by one, for which no process is needed.
        members.forEach(each -> ProcessHandle.of(each.pid()).ifPresent(ProcessHandle::destroyForcibly));
        send("KILL", tree.targets(members));
    }

    private List<ProcessEntry> marked() {
        tree.add(table.withEnvironment(mark));
        return tree.members(table.living());
    }

    private static void send(String signal, Set<Long> targets) {
        if (targets.isEmpty()) {
            return;
        }
        // The JDK sends but two signals and knows no groups; the shell's own kill needs no further program.
        var words = new ArrayList<>(List.of("sh", "-c", "kill -s \"$0\" -- \"$@\"", signal));
        targets.forEach(target -> words.add(Long.toString(target)));
        try {
            var kill = new ProcessBuilder(words)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            kill.getOutputStream().close();
            if (!kill.waitFor(SIGNAL_PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                kill.destroyForcibly();
            }
        } catch (IOException e) {
            LOG.log(Level.WARNING, "SIG" + signal + " could not be sent to the command: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
