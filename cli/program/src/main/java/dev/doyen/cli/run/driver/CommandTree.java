package dev.doyen.cli.run.driver;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the processes of a command by their session and their ancestors.
 *
 * <p>A process that an earlier search has found also belongs to the command.
 *
 * <p>The class does no I/O. The search misses a process that has left the session and whose parents have ended.
 * {@link CommandProcesses} can find such a process by its environment.
 */
final class CommandTree {

    private final long root;
    private final boolean ownSession;
    private final Set<Long> found = new HashSet<>();

    /**
     * Creates the tree of one command.
     *
     * @param ownSession true if {@code root} leads its own session, whose members then belong to the command
     */
    CommandTree(long root, boolean ownSession) {
        this.root = root;
        this.ownSession = ownSession;
        found.add(root);
    }

    /** Adds processes that the caller has recognized by other means. */
    void add(List<Long> pids) {
        found.addAll(pids);
    }

    /**
     * Returns the live processes of the command. The method also removes ended processes from the tree, because the
     * system can reuse their pids.
     */
    List<ProcessEntry> members(List<ProcessEntry> living) {
        Map<Long, ProcessEntry> byPid = new HashMap<>();
        living.forEach(each -> byPid.put(each.pid(), each));
        found.retainAll(byPid.keySet());
        Map<Long, ProcessEntry> members = new LinkedHashMap<>();
        for (var each : living) {
            if (belongs(each, byPid)) {
                members.put(each.pid(), each);
            }
        }
        found.addAll(members.keySet());
        return List.copyOf(members.values());
    }

    /**
     * Returns the targets for kill(1).
     *
     * <p>The targets are the negated ids of process groups, and the pids of processes outside the session.
     */
    Set<Long> targets(List<ProcessEntry> members) {
        var targets = new TreeSet<Long>();
        for (var each : members) {
            targets.add(isInSession(each) ? -each.group() : each.pid());
        }
        return targets;
    }

    /**
     * Returns the target for a signal to the command's process group. The target is the negated id of this group, or
     * the command's pid if the command has no group of its own. The result is empty if no process of the target is
     * alive.
     */
    Set<Long> group(List<ProcessEntry> members) {
        var targets = new TreeSet<Long>();
        for (var each : members) {
            if (isInSession(each) && each.group() == root) {
                targets.add(-root);
            } else if (each.pid() == root) {
                targets.add(root);
            }
        }
        return targets;
    }

    private boolean belongs(ProcessEntry entry, Map<Long, ProcessEntry> byPid) {
        var seen = new HashSet<Long>();
        for (var each = entry; each != null && seen.add(each.pid()); each = byPid.get(each.parent())) {
            if (isInSession(each) || found.contains(each.pid())) {
                return true;
            }
        }
        return false;
    }

    private boolean isInSession(ProcessEntry entry) {
        return ownSession && entry.session() == root;
    }
}
