package dev.doyen.hub;

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
 * Tells what happens to a channel's members in one frame for many, while much happens: ten thousand that join would
 * otherwise be ten thousand frames for each of ten thousand who listen.
 *
 * <p>The first {@value #AT_ONCE} events of a moment go out at once. What follows is held, for a moment at most, or
 * until {@value #MAX_HELD} have come together, or {@value #MAX_HELD_BYTES} bytes; until a whole moment has passed
 * without any. A moment is {@link #HOLD}, or, since each delivery of a frame costs time, {@link #HOLD_EACH} for each
 * that is attached if that is longer, {@link #MAX_HOLD} at most. Whoever caused an event hears of it at once all the
 * same. Nothing overtakes: a message, and whatever concerns a claim, is told after all that is held, and never held
 * itself.
 */
final class PresenceStorm {

    static final int AT_ONCE = 8;
    static final Duration HOLD = Duration.ofMillis(40);

    /**
     * Several times what a small frame costs a core for each of those it goes to, so that telling of members leaves most of it
     * to the rest.
     */
    static final Duration HOLD_EACH = Duration.ofNanos(40_000);

    static final Duration MAX_HOLD = Duration.ofSeconds(1);
    static final int MAX_HELD = 250;
    static final int MAX_HELD_BYTES = 128 * 1024;

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

    /** Whether events that come now, and concern no claim, are to be held. */
    boolean holds(Turn turn, Timers timers) {
        if (due != null) {
            return true;
        }
        if (inWindow == 0 || turn.nanos() - windowNanos >= moment()) {
            windowNanos = turn.nanos();
            inWindow = 0;
        }
        inWindow++;
        if (inWindow <= AT_ONCE) {
            return false;
        }
        arm(turn, timers);
        return true;
    }

    /** Holds the events of a frame; they are in the channel's past already, and told to whoever caused them. */
    void hold(Turn turn, ProtocolMessage frame) {
        held = held.isEmpty() ? new ArrayList<>() : held;
        for (PresenceMessage event : Objects.requireNonNull(frame.presence(), "only events of members are held")) {
            held.add(event);
            heldBytes += PresenceLog.size(event);
        }
        lastHeld = frame;
        if (held.size() >= MAX_HELD || heldBytes >= MAX_HELD_BYTES) {
            tell(turn);
        }
    }

    /** Tells what is held: before anything else is told on the channel. */
    void tell(Turn turn) {
        ProtocolMessage last = lastHeld;
        if (last == null) {
            return;
        }
        String serial = Objects.requireNonNull(last.channelSerial(), "every event has a serial");
        // The serial of the last of them: on all nodes of a hub there are the same, however each bundles them.
        var frame = ProtocolMessage.builder(Action.PRESENCE)
                .id(MemberEvents.hubMadeId(serial) + ":storm")
                .channel(channel.name)
                .channelSerial(serial)
                .timestamp(last.timestamp())
                .presence(held)
                .build();
        held = List.of();
        heldBytes = 0;
        lastHeld = null;
        channel.deliver(turn, Flags.PRESENCE_SUBSCRIBE, frame, null, null);
    }

    private long moment() {
        long forAll = channel.attachments.size() * HOLD_EACH.toNanos();
        return Math.min(MAX_HOLD.toNanos(), Math.max(HOLD.toNanos(), forAll));
    }

    private void arm(Turn turn, Timers timers) {
        long dueNanos = turn.nanos() + moment();
        due = timers.set(dueNanos, later -> {
            due = null;
            inWindow = 0;
            // Where time is behind, events may be waiting for their turn that came long ago.
            boolean late = later.nanos() - dueNanos >= HOLD.toNanos();
            if (!held.isEmpty() || late) {
                tell(later);
                arm(later, timers);
            }
        });
    }
}
