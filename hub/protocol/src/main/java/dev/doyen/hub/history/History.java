package dev.doyen.hub.history;

import dev.doyen.hub.content.Extras;
import dev.doyen.hub.settings.ChannelRule;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.ProtocolMessage;
import dev.doyen.hub.wire.Utf8;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The newest messages of a channel, limited by number, bytes and age.
 *
 * <p>The last message has a longer age limit, so that clients that attach late with {@code rewind=1} receive it.
 */
public final class History {

    /**
     * A published frame with its size and time. The size is in bytes, as the message limit counts them; the time is in
     * nanoseconds.
     */
    private record Entry(String serial, String before, ProtocolMessage frame, int bytes, long nanos) {}

    private final ChannelSerials serials;
    private final HubSettings settings;
    private final int maxMessages;
    private final Duration maxAge;
    private final ArrayDeque<Entry> entries = new ArrayDeque<>();
    private final Map<String, String> serialsById = new HashMap<>();
    /** The serial after which the history contains all frames. */
    private String floor;

    private int messages;
    private long bytes;

    public History(ChannelSerials serials, HubSettings settings, ChannelRule rule) {
        this.serials = serials;
        this.settings = settings;
        this.maxMessages = settings.historyCount(rule);
        this.maxAge = settings.historyAge(rule);
        this.floor = serials.last();
    }

    /** Returns the size of a message in bytes, as the message limit counts them. */
    public static int size(Message message, @Nullable String clientId) {
        return (message.name() == null ? 0 : Utf8.length(message.name()))
                + message.data().size()
                + (clientId == null ? 0 : Utf8.length(clientId))
                + Extras.size(message.extras());
    }

    public boolean isEmpty() {
        return entries.isEmpty();
    }

    public long bytes() {
        return bytes;
    }

    /** Adds a frame with {@code serial}; {@code before} is the previous serial of the channel. */
    public void add(ProtocolMessage frame, String serial, String before, int size, long nowNanos) {
        entries.add(new Entry(serial, before, frame, size, nowNanos));
        bytes += size;
        for (Message message : contents(frame)) {
            messages++;
            if (message.id() != null && message.serial() != null) {
                serialsById.put(message.id(), message.serial());
            }
        }
        while (entries.size() > 1 && (messages > maxMessages || bytes > settings.historyBytes())) {
            drop();
        }
    }

    /** Removes frames that have reached their age limit. */
    public void prune(long nowNanos) {
        while (!entries.isEmpty() && nowNanos - entries.peek().nanos() >= keptNanos()) {
            drop();
        }
    }

    /** Removes all frames. */
    public void clear() {
        while (!entries.isEmpty()) {
            drop();
        }
    }

    /** Returns the time at which {@link #prune} is due next. The result is empty if the history is empty. */
    public OptionalLong pruneNanos() {
        return entries.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(entries.peek().nanos() + keptNanos());
    }

    /**
     * Returns the serial of the message with this id. The result is empty if the history does not contain the message.
     */
    public Optional<String> serialOf(String messageId) {
        return Optional.ofNullable(serialsById.get(messageId));
    }

    /**
     * Returns the frames after this serial. The result is empty if the serial is unknown, or if frames after the serial
     * have been removed.
     */
    public Optional<List<ProtocolMessage>> since(String serial) {
        if (!serials.isWithin(serial, floor)) {
            return Optional.empty();
        }
        var missed = new ArrayList<ProtocolMessage>();
        for (Entry entry : entries) {
            if (entry.serial().compareTo(serial) > 0) {
                missed.add(entry.frame());
            }
        }
        return Optional.of(missed);
    }

    /** The last frames, and the serial before the first of these frames. */
    public record Tail(List<ProtocolMessage> frames, String from) {}

    /** Returns the last {@code count} messages that are at most {@code nanos} old. */
    public Tail tail(int count, long nanos, long nowNanos) {
        var frames = new ArrayDeque<ProtocolMessage>();
        String from = serials.last();
        int remaining = count;
        var newestFirst = entries.descendingIterator();
        while (remaining > 0 && newestFirst.hasNext()) {
            Entry entry = newestFirst.next();
            if (nowNanos - entry.nanos() > nanos) {
                break;
            }
            List<Message> contents = contents(entry.frame());
            int taken = Math.min(remaining, contents.size());
            frames.addFirst(entry.frame().toBuilder()
                    .messages(contents.subList(contents.size() - taken, contents.size()))
                    .build());
            from = entry.before();
            remaining -= taken;
        }
        return new Tail(List.copyOf(frames), from);
    }

    /**
     * Returns all messages, with the oldest message first. Each message contains the connection and the time of its
     * frame.
     */
    public List<Past<Message>> items() {
        var items = new ArrayList<Past<Message>>(messages);
        for (Entry entry : entries) {
            long millis = Objects.requireNonNull(entry.frame().timestamp(), "frames are dated");
            for (Message message : contents(entry.frame())) {
                String serial = Objects.requireNonNull(message.serial(), "published messages have serials");
                items.add(new Past<>(entry.serial(), serial, millis, message.outside(entry.frame())));
            }
        }
        return items;
    }

    private long keptNanos() {
        return (entries.size() > 1 ? maxAge : settings.lastMessageAge()).toNanos();
    }

    private void drop() {
        Entry oldest = entries.remove();
        floor = oldest.serial();
        bytes -= oldest.bytes();
        for (Message message : contents(oldest.frame())) {
            messages--;
            if (message.id() != null) {
                serialsById.remove(message.id());
            }
        }
    }

    private static List<Message> contents(ProtocolMessage frame) {
        return Objects.requireNonNull(frame.messages(), "only MESSAGE frames are recorded");
    }
}
