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
 * <p>Without batches, ten thousand clients that join would cause ten thousand frames to each of ten thousand
 * subscribers.
 *
 * <p>The hub sends the events of the first {@value #AT_ONCE} frames within an interval at once. The hub holds later
 * events until the interval ends, or until it holds {@value #MAX_HELD} events or {@value #MAX_HELD_BYTES} bytes.
 * Batching ends if the hub holds no events at the end of an interval, unless the timer fires late. The interval is
 * {@link #HOLD}, or {@link #HOLD_EACH} times the number of attachments if that product is longer, because each delivery
 * takes time. The maximum interval is {@link #MAX_HOLD}.
 *
 * <p>The client that causes an event always receives the event at once. The hub never holds messages or events about
 * claims. Before it sends one of them, it sends the held events, so that no frame overtakes a held event.
 */
public final class PresenceStorm {

    public static final int AT_ONCE = 8;
    public static final Duration HOLD = Duration.ofMillis(40);

    /**
     * The time that the interval allows for each attachment. The value is several times the CPU time that a small frame
     * to one receiver needs, so most of a core stays free.
     */
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

    /** Counts a frame, and returns true if its events must be held. The events must not concern a claim. */
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

    /** Holds the events of a frame. The history already contains the events, and their sender has received them. */
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

    /** Sends the held events. The caller must call this method before it sends any other frame on the channel. */
    void send(StepContext step) {
        ProtocolMessage last = lastHeld;
        if (last == null) {
            return;
        }
        String serial = Objects.requireNonNull(last.channelSerial(), "every event has a serial");
        // The frame uses the serial of the last event. An event has the same serial on all nodes, although each node
        // forms its own batches.
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
            // If the timer fires late, the hub is overloaded: events of this interval can still wait in its input
            // queue. Batching then continues.
            boolean late = later.nanos() - dueNanos >= HOLD.toNanos();
            if (!held.isEmpty() || late) {
                send(later);
                arm(later, timers);
            }
        });
    }
}
