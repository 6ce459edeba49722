package dev.doyen.hub.history;

import dev.doyen.hub.content.Extras;
import dev.doyen.hub.settings.ChannelRule;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.wire.PresenceMessage;
import dev.doyen.hub.wire.Utf8;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * The presence history of a channel. It has the same limits of number, bytes and age as the message history.
 *
 * <p>The bytes of both histories count toward the same memory limit. The hub replays no presence events, because a
 * client that resumes receives a SYNC.
 */
public final class PresenceLog {

    /** An upper estimate of an event's size without client id, data and extras, in bytes. */
    private static final int EVENT_OVERHEAD_BYTES = 256;

    public record Entry(String serial, List<PresenceMessage> events, int bytes, long nanos) {}

    private final int maxEvents;
    private final int maxBytes;
    private final Duration maxAge;
    private final ArrayDeque<Entry> entries = new ArrayDeque<>();
    private int count;
    private long bytes;

    public PresenceLog(HubSettings settings, ChannelRule rule) {
        this.maxEvents = settings.historyCount(rule);
        this.maxBytes = settings.historyBytes();
        this.maxAge = settings.historyAge(rule);
    }

    /** Returns the size of an event in bytes. */
    public static int size(PresenceMessage event) {
        return EVENT_OVERHEAD_BYTES
                + (event.clientId() == null ? 0 : Utf8.length(event.clientId()))
                + event.data().size()
                + Extras.size(event.extras());
    }

    public boolean isEmpty() {
        return entries.isEmpty();
    }

    public long bytes() {
        return bytes;
    }

    public void add(String serial, List<PresenceMessage> events, long nowNanos) {
        int size = 0;
        for (PresenceMessage event : events) {
            size += size(event);
        }
        entries.add(new Entry(serial, List.copyOf(events), size, nowNanos));
        count += events.size();
        bytes += size;
        while (entries.size() > 1 && (count > maxEvents || bytes > maxBytes)) {
            drop();
        }
    }

    /** Removes events that have reached the age limit. */
    public void prune(long nowNanos) {
        while (!entries.isEmpty() && nowNanos - entries.peek().nanos() >= maxAge.toNanos()) {
            drop();
        }
    }

    public void clear() {
        entries.clear();
        count = 0;
        bytes = 0;
    }

    /** Returns the time at which {@link #prune} is due next. The result is empty if there are no events. */
    public OptionalLong pruneNanos() {
        return entries.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(entries.peek().nanos() + maxAge.toNanos());
    }

    /** Returns all events, with the oldest event first. */
    public List<Past<PresenceMessage>> items() {
        var items = new ArrayList<Past<PresenceMessage>>(count);
        String before = "";
        int index = 0;
        for (Entry entry : entries) {
            // One entry of the shared log can cause two entries in this history.
            index = entry.serial().equals(before) ? index : 0;
            before = entry.serial();
            for (PresenceMessage event : entry.events()) {
                long millis = Objects.requireNonNull(event.timestamp(), "events are dated");
                items.add(new Past<>(entry.serial(), ChannelSerials.ofItem(entry.serial(), index++), millis, event));
            }
        }
        return items;
    }

    public List<Entry> entries() {
        return List.copyOf(entries);
    }

    private void drop() {
        Entry oldest = entries.remove();
        count -= oldest.events().size();
        bytes -= oldest.bytes();
    }
}
