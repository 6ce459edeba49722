package dev.doyen.hub;

import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.ProtocolMessage;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The messages of one channel that may still be asked for: the newest ones, bounded by count, bytes and age. The very
 * last one is kept longer, so that who attaches late with {@code rewind=1} knows it.
 */
final class History {

    /** One published frame, as it was sent. Units: bytes as counted against the message limit. */
    private record Entry(String serial, String before, ProtocolMessage frame, int bytes, long nanos) {}

    private final ChannelSerials serials;
    private final HubSettings settings;
    private final int maxMessages;
    private final Duration maxAge;
    private final ArrayDeque<Entry> entries = new ArrayDeque<>();
    private final Map<String, String> serialsById = new HashMap<>();
    /** Everything after this serial is still here. */
    private String floor;

    private int messages;
    private long bytes;

    History(ChannelSerials serials, HubSettings settings, ChannelRule rule) {
        this.serials = serials;
        this.settings = settings;
        this.maxMessages = settings.historyCount(rule);
        this.maxAge = settings.historyAge(rule);
        this.floor = serials.last();
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    long bytes() {
        return bytes;
    }

    /** Records a frame that carries {@code serial}; {@code before} is the channel's serial just before it. */
    void add(ProtocolMessage frame, String serial, String before, int size, long nowNanos) {
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

    /** Forgets what is too old. */
    void prune(long nowNanos) {
        while (!entries.isEmpty() && nowNanos - entries.peek().nanos() >= keptNanos()) {
            drop();
        }
    }

    /** Forgets everything. */
    void clear() {
        while (!entries.isEmpty()) {
            drop();
        }
    }

    /** When there is next something to prune. */
    OptionalLong pruneNanos() {
        return entries.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(entries.peek().nanos() + keptNanos());
    }

    /** The serial a message of this id was published with, while it is remembered. */
    Optional<String> serialOf(String messageId) {
        return Optional.ofNullable(serialsById.get(messageId));
    }

    /** What was published after this serial; empty if something may be missing. */
    Optional<List<ProtocolMessage>> since(String serial) {
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

    /** The end of the history, and the serial it continues from. */
    record Tail(List<ProtocolMessage> frames, String from) {}

    /** The last {@code count} messages, of those not older than {@code nanos}. */
    Tail tail(int count, long nanos, long nowNanos) {
        var frames = new ArrayDeque<ProtocolMessage>();
        String from = serials.last();
        int wanted = count;
        var newestFirst = entries.descendingIterator();
        while (wanted > 0 && newestFirst.hasNext()) {
            Entry entry = newestFirst.next();
            if (nowNanos - entry.nanos() > nanos) {
                break;
            }
            List<Message> contents = contents(entry.frame());
            int taken = Math.min(wanted, contents.size());
            frames.addFirst(entry.frame().toBuilder()
                    .messages(contents.subList(contents.size() - taken, contents.size()))
                    .build());
            from = entry.before();
            wanted -= taken;
        }
        return new Tail(List.copyOf(frames), from);
    }

    /** All that is remembered, oldest first, each message as it is outside its frame. */
    List<Past<Message>> items() {
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
