package dev.doyen.cli.run.driver;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the processes of a command: its session, their descendants, and all processes found earlier.
 *
 * <p>The class is pure. It does not find a process that has left the session and whose parents have ended.
 * {@link CommandProcesses} may still find it by the mark in its environment.
 */
final class CommandTree {

    private final long root;
    private final boolean ownSession;
    private final Set<Long> found = new HashSet<>();

    /**
     * Creates the tree of one command.
     *
     * @param ownSession whether {@code root} leads its own session, whose members then belong to the command
     */
    CommandTree(long root, boolean ownSession) {
        this.root = root;
        this.ownSession = ownSession;
        found.add(root);
    }

    /** Adds processes that were recognized by other means. */
    void add(List<Long> pids) {
        found.addAll(pids);
    }

    /** The living processes of the command. Dead ones are forgotten, because the system may reuse their pids. */
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

    /** The targets for kill(1). A group is a negative number; a process outside the session is its pid. */
    Set<Long> targets(List<ProcessEntry> members) {
        var targets = new TreeSet<Long>();
        for (var each : members) {
            targets.add(isInSession(each) ? -each.group() : each.pid());
        }
        return targets;
    }

    /** The command's own group, or only the command if it has no group. */
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
