package dev.doyen.server.console;

import dev.doyen.elector.ElectionView;
import dev.doyen.event.Leader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Who led what when: those who lead now, and the latest of those who did. Not safe for several threads. */
final class Reigns {

    private final int kept;
    private final Map<String, Reign> present = new LinkedHashMap<>();
    private final ArrayDeque<Reign> past = new ArrayDeque<>();

    /** @param kept how many past ones are remembered */
    Reigns(int kept) {
        this.kept = kept;
    }

    void changed(ElectionView view) {
        Optional<Leader> leader = view.leader();
        Reign known = present.get(view.name());
        if (known != null
                && leader.isPresent()
                && leader.get().id().equals(known.id())
                && leader.get().term() == known.term()) {
            return;
        }
        long now = view.since().toEpochMilli();
        if (known != null) {
            present.remove(view.name());
            past.addLast(known.endedAt(now));
            if (past.size() > kept) {
                past.removeFirst();
            }
        }
        leader.ifPresent(next ->
                present.put(view.name(), new Reign(view.name(), next.id(), next.term(), now, OptionalLong.empty())));
    }

    /** At most this many, the newest last; those that last come after those that ended. */
    List<Reign> latest(int limit) {
        var all = new ArrayList<Reign>();
        all.addAll(past);
        all.addAll(present.values());
        return List.copyOf(all.subList(Math.max(0, all.size() - limit), all.size()));
    }
}
