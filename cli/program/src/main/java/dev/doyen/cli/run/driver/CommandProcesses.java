package dev.doyen.cli.run.driver;

import dev.doyen.process.RunSignal;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The set of all processes that one start of the command has created. Threads: one.
 *
 * <p>The class recognizes a process if it is in the command's session, if its parent belongs to the command, or if its
 * initial environment contains the variable that marks this run. The class does not find a process that has left the
 * session, lost its parents and cleared its environment.
 */
final class CommandProcesses {

    private static final System.Logger LOG = System.getLogger("dev.doyen");
    private static final long SIGNAL_PATIENCE_SECONDS = 2;

    private final ProcessTable table;
    private final CommandTree tree;
    private final String mark;

    /**
     * Creates the set of processes for one start of the command.
     *
     * @param mark the environment entry that all processes of the command inherit
     */
    CommandProcesses(ProcessTable table, long root, boolean ownSession, String mark) {
        this.table = table;
        this.tree = new CommandTree(root, ownSession);
        this.mark = mark;
    }

    /** Returns true if any of the processes is alive. */
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
        // The processes are first killed one by one, because this requires no kill program. A signal to their groups
        // then also reaches new forks.
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
        // The JDK can send only two signals and cannot signal groups. The kill command of the shell requires no
        // further program.
        var command = new ArrayList<>(List.of("sh", "-c", "kill -s \"$0\" -- \"$@\"", signal));
        targets.forEach(target -> command.add(Long.toString(target)));
        try {
            var kill = new ProcessBuilder(command)
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
