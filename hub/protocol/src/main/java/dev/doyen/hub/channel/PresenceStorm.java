package dev.doyen.hub.channel;

import dev.doyen.hub.history.ChannelSerials;
import dev.doyen.hub.history.PresenceLog;
import dev.doyen.hub.step.StepContext;
import dev.doyen.hub.step.Timers;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.Flags;
import dev.doyen.hub.wire.PresenceMessage;
import dev.doyen.hub.wire.ProtocolMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Batches presence events into fewer frames while many members change.
 *
 * <p>Without it, ten thousand clients that join would cause ten thousand frames to each of ten thousand subscribers.
 *
 * <p>The first {@value #AT_ONCE} events within an interval are sent at once. Later ones are held until the interval
 * ends, or until {@value #MAX_HELD} events or {@value #MAX_HELD_BYTES} bytes are held. Batching ends after a whole
 * interval without events. The interval is {@link #HOLD}, or {@link #HOLD_EACH} per attachment if that is longer,
 * because each delivery takes time. It is at most {@link #MAX_HOLD}.
 *
 * <p>The client that causes an event always receives it at once. Held events never move behind later frames: before a
 * message or an event about a claim, the held events are sent. These two kinds are never held.
 */
public final class PresenceStorm {

    public static final int AT_ONCE = 8;
    public static final Duration HOLD = Duration.ofMillis(40);

    /** Several times the CPU time of sending a small frame to one receiver. So most of a core stays free. */
    public static final Duration HOLD_EACH = Duration.ofNanos(40_000);

    public static final Duration MAX_HOLD = Duration.ofSeconds(1);
    public static final int MAX_HELD = 250;
    public static final int MAX_HELD_BYTES = 128 * 1024;

    private final Channel channel;
    private long windowNanos;
    private int inWindow;
    private Timers.@Nullable Timer due;
    private List<PresenceMessage> held = List.of();
    private long heldBytes;
    private @Nullable ProtocolMessage lastHeld;

    PresenceStorm(Channel channel) {
        this.channel = channel;
    }

    /** Whether an event that arrives now, and concerns no claim, must be held. */
    public boolean holds(StepContext step, Timers timers) {
        if (due != null) {
            return true;
        }
        if (inWindow == 0 || step.nanos() - windowNanos >= moment()) {
            windowNanos = step.nanos();
            inWindow = 0;
        }
        inWindow++;
        if (inWindow <= AT_ONCE) {
            return false;
        }
        arm(step, timers);
        return true;
    }

    /** Holds the events of a frame. They are in the history already, and their sender has received them. */
    public void hold(StepContext step, ProtocolMessage frame) {
        held = held.isEmpty() ? new ArrayList<>() : held;
        for (PresenceMessage event : Objects.requireNonNull(frame.presence(), "only events of members are held")) {
            held.add(event);
            heldBytes += PresenceLog.size(event);
        }
        lastHeld = frame;
        if (held.size() >= MAX_HELD || heldBytes >= MAX_HELD_BYTES) {
            send(step);
        }
    }

    /** Sends the held events. Must be called before any other frame on the channel. */
    void send(StepContext step) {
        ProtocolMessage last = lastHeld;
        if (last == null) {
            return;
        }
        String serial = Objects.requireNonNull(last.channelSerial(), "every event has a serial");
        // Uses the serial of the last event. It is the same on all nodes, however each node batches the events.
        var frame = ProtocolMessage.builder(Action.PRESENCE)
                .id(ChannelSerials.hubMadeId(serial) + ":storm")
                .channel(channel.name)
                .channelSerial(serial)
                .timestamp(last.timestamp())
                .presence(held)
                .build();
        held = List.of();
        heldBytes = 0;
        lastHeld = null;
        channel.deliver(step, Flags.PRESENCE_SUBSCRIBE, frame, null, null);
    }

    private long moment() {
        long forAll = channel.attachments.size() * HOLD_EACH.toNanos();
        return Math.min(MAX_HOLD.toNanos(), Math.max(HOLD.toNanos(), forAll));
    }

    private void arm(StepContext step, Timers timers) {
        long dueNanos = step.nanos() + moment();
        due = timers.set(dueNanos, later -> {
            due = null;
            inWindow = 0;
            // If the hub is behind, events that arrived long ago may still wait for their step.
            boolean late = later.nanos() - dueNanos >= HOLD.toNanos();
            if (!held.isEmpty() || late) {
                send(later);
                arm(later, timers);
            }
        });
    }
}
