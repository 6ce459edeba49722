package dev.doyen.elector.console;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.doyen.elector.ElectionView;
import dev.doyen.event.Leader;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The list of the present leaderships and the latest past leaderships. This class is not thread-safe. */
public final class LeadershipLog {

    /** The maximum number of past leaderships that a console stores. */
    public static final int KEPT = 1_000;

    static final int SHOWN = 300;

    private final int kept;
    private final Map<String, LoggedTerm> present = new LinkedHashMap<>();
    private final ArrayDeque<LoggedTerm> past = new ArrayDeque<>();

    /**
     * Creates an empty log.
     *
     * @param kept the maximum number of stored past leaderships
     */
    public LeadershipLog(int kept) {
        this.kept = kept;
    }

    /** Records the current leader of an election. The method ignores a view without a change. */
    public void changed(ElectionView view) {
        Optional<Leader> leader = view.leader();
        LoggedTerm known = present.get(view.name());
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
        leader.ifPresent(next -> present.put(
                view.name(), new LoggedTerm(view.name(), next.id(), next.term(), now, OptionalLong.empty())));
    }

    /** Writes the latest leaderships as the field {@code leaderships}. */
    public void write(JsonGenerator json) throws IOException {
        write(json, election -> true);
    }

    /** Writes the latest leaderships of the elections with these names as the field {@code leaderships}. */
    public void write(JsonGenerator json, Predicate<String> elections) throws IOException {
        json.writeArrayFieldStart("leaderships");
        for (LoggedTerm leadership : latest(SHOWN, elections)) {
            json.writeStartObject();
            json.writeStringField("election", leadership.election());
            json.writeStringField("id", leadership.id());
            json.writeNumberField("term", leadership.term());
            json.writeNumberField("from", leadership.fromMillis());
            if (leadership.toMillis().isPresent()) {
                json.writeNumberField("to", leadership.toMillis().getAsLong());
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /**
     * Returns at most {@code limit} leaderships, and omits the oldest. The past leaderships come first, in the order of
     * their ends. The present leaderships follow, in the order of their starts.
     */
    public List<LoggedTerm> latest(int limit) {
        return latest(limit, election -> true);
    }

    private List<LoggedTerm> latest(int limit, Predicate<String> elections) {
        List<LoggedTerm> all = Stream.concat(past.stream(), present.values().stream())
                .filter(leadership -> elections.test(leadership.election()))
                .toList();
        return all.subList(Math.max(0, all.size() - limit), all.size());
    }
}
