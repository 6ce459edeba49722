package dev.doyen.elector;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Stores the latest announcements of each election, so that a stream can resume.
 *
 * <p>The class stores at most {@code historyLength} announcements of each election, and at most {@value #MAX_ELECTIONS}
 * elections. If more elections exist, the class removes the election that has not changed for the longest time. If a
 * stream of that election resumes, it can then receive a {@code reset} event.
 */
final class Announcements {

    static final int MAX_ELECTIONS = 1_000;

    private final ElectorSettings settings;
    private final Map<String, History> histories = new LinkedHashMap<>();
    private long lastNumber;
    private long forgottenThrough;

    Announcements(ElectorSettings settings) {
        this.settings = settings;
    }

    /**
     * Assigns a number to a change, and stores the change.
     *
     * <p>The result is empty if the view contains no change, or if the view is older than the latest announcement.
     */
    Optional<Announcement> add(ElectionView view) {
        var history = historyOf(view);
        boolean sameLeader = history.announced && view.sameLeaderAs(history.latest);
        boolean older = history.announced && view.lastTerm() < history.latest.lastTerm();
        if (older || (sameLeader && view.sameReasonAs(history.latest))) {
            return Optional.empty();
        }
        lastNumber++;
        var plain = sameLeader ? "" : plainBlock(ElectionJson.leaderName(view.leaderIdOrEmpty(), view.lastUpdate()));
        var announcement = new Announcement(view.name(), lastNumber, plain, eventBlock("leader", lastNumber, view));
        history.add(announcement, view, settings.historyLength());
        histories.remove(view.name());
        histories.put(view.name(), history);
        forgetOldest();
        return Optional.of(announcement);
    }

    /**
     * Returns the state with which a new stream begins.
     *
     * <p>If {@code found} does not have the last announced leader, the result is the state of the latest announcement,
     * so that the stream contains the changes in order. In all other cases the result is {@code found}.
     */
    ElectionView latest(ElectionView found) {
        var history = histories.get(found.name());
        return history == null || found.sameLeaderAs(history.latest) ? found : history.latest;
    }

    /**
     * Returns the first blocks of a resumable stream.
     *
     * @param lastEventId the id of the last event that the reader has received; empty for a new reader
     */
    String opening(ElectionView found, Optional<String> lastEventId) {
        var history = histories.get(found.name());
        long current = history == null ? forgottenThrough : history.lastNumber;
        var snapshot = eventBlock("leader", current, latest(found));
        if (lastEventId.isEmpty()) {
            return snapshot;
        }
        var seen = numberIn(lastEventId.get());
        long replayableFrom = history == null ? forgottenThrough : history.droppedThrough;
        if (seen.isEmpty() || seen.get() < replayableFrom || seen.get() > lastNumber) {
            var reason = "events after the given Last-Event-ID are no longer stored; the current state follows";
            return "event: reset\n" + plainBlock(ElectionJson.reason(reason)) + snapshot;
        }
        var missed = history == null ? List.<Announcement>of() : history.after(seen.get());
        if (missed.isEmpty()) {
            return snapshot;
        }
        var blocks = new StringBuilder();
        missed.forEach(announcement -> blocks.append(announcement.event()));
        return blocks.toString();
    }

    static String plainBlock(String json) {
        return "data: " + json + "\n\n";
    }

    private String eventBlock(String event, long number, ElectionView view) {
        return "id: " + settings.series() + "-" + number + "\nevent: " + event + "\n"
                + plainBlock(ElectionJson.election(view));
    }

    private Optional<Long> numberIn(String eventId) {
        var prefix = settings.series() + "-";
        if (!eventId.startsWith(prefix)) {
            return Optional.empty();
        }
        var number = eventId.substring(prefix.length());
        return number.matches("[0-9]{1,18}") ? Optional.of(Long.parseLong(number)) : Optional.empty();
    }

    private History historyOf(ElectionView view) {
        var known = histories.get(view.name());
        return known == null ? new History(view, forgottenThrough) : known;
    }

    private void forgetOldest() {
        if (histories.size() > MAX_ELECTIONS) {
            var oldest = histories.keySet().iterator().next();
            var forgotten = histories.remove(oldest);
            if (forgotten != null) {
                forgottenThrough = Math.max(forgottenThrough, forgotten.lastNumber);
            }
        }
    }

    private static final class History {
        private final Deque<Announcement> kept = new ArrayDeque<>();
        private ElectionView latest;
        private boolean announced;
        private long lastNumber;
        private long droppedThrough;

        History(ElectionView first, long droppedThrough) {
            this.latest = first;
            this.droppedThrough = droppedThrough;
            this.lastNumber = droppedThrough;
        }

        void add(Announcement announcement, ElectionView view, int limit) {
            kept.addLast(announcement);
            latest = view;
            announced = true;
            lastNumber = announcement.number();
            if (kept.size() > limit) {
                droppedThrough = kept.removeFirst().number();
            }
        }

        List<Announcement> after(long seen) {
            var missed = new ArrayList<Announcement>();
            for (var announcement : kept) {
                if (announcement.number() > seen) {
                    missed.add(announcement);
                }
            }
            return missed;
        }
    }
}
