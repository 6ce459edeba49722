package dev.doyen.cli.run.driver;

import dev.doyen.process.RunSignal;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * All processes that one start of the command has created. Threads: one.
 *
 * <p>A process is recognized by the command's session, by its parents, or by the mark of the run in its initial
 * environment. A process that has left the session, lost its parents and cleared its environment is not found.
 */
final class CommandProcesses {

    private static final System.Logger LOG = System.getLogger("dev.doyen");
    private static final long SIGNAL_PATIENCE_SECONDS = 2;

    private final ProcessTable table;
    private final CommandTree tree;
    private final String mark;

    /**
     * Creates the set of processes of one start.
     *
     * @param mark the environment entry that all of them have inherited
     */
    CommandProcesses(ProcessTable table, long root, boolean ownSession, String mark) {
        this.table = table;
        this.tree = new CommandTree(root, ownSession);
        this.mark = mark;
    }

    /** True if any of the processes lives. */
    boolean live() {
        return !tree.members(table.living()).isEmpty() || !marked().isEmpty();
    }

    /** Forwards a signal to the command's process group. */
    void forward(RunSignal signal) {
        send(signal.name(), tree.group(tree.members(table.living())));
    }

    void terminate() {
        send("TERM", tree.targets(marked()));
    }

    void kill() {
        var members = marked();
        // One by one first, because this needs no kill process. Then by group, which also reaches new forks.
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
        // The JDK sends only two signals and knows no groups. The kill of the shell needs no further program.
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
