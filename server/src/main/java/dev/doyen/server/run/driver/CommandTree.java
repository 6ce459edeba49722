package dev.doyen.server.run.driver;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which processes belong to a command: its session, whatever descends from that, and whatever was found before. Pure.
 *
 * <p>A process that left the session and whose parents have ended is found by nothing of this; it may still bear the
 * run's mark in its environment, see {@link CommandProcesses}.
 */
final class CommandTree {

    private final long root;
    private final boolean ownSession;
    private final Set<Long> found = new HashSet<>();

    /** @param ownSession whether {@code root} leads a session of its own, so that the session's members are its */
    CommandTree(long root, boolean ownSession) {
        this.root = root;
        this.ownSession = ownSession;
        found.add(root);
    }

    /** Takes in processes known to be the command's by other means. */
    void add(List<Long> pids) {
        found.addAll(pids);
    }

    /** Those that live. Who does not live any more is forgotten, for its number may be given to another. */
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

    /** Whom kill(1) is to be told: a whole group as a negative number, and one by one those who have no group here. */
    Set<Long> targets(List<ProcessEntry> members) {
        var targets = new TreeSet<Long>();
        for (var each : members) {
            targets.add(isInSession(each) ? -each.group() : each.pid());
        }
        return targets;
    }

    /** The command's own group, or the command alone if it has none. */
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
