package dev.doyen.hub.server.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects outbound frames per event loop. A batch needs one task per event loop and one flush per socket.
 *
 * <p>Ten messages with one flush need an eighth of the time of ten messages with one flush each.
 *
 * <p>Only the hub's thread calls the methods. The outbox passes its frames on as soon as it contains {@value
 * #MAX_DELIVERIES} or more frames, counted once per receiver. {@link OutboundQueue} limits the frames that are pending
 * after that.
 */
final class Outbox {

    static final int MAX_DELIVERIES = 4_096;

    private final Map<EventLoop, OutboundQueue> lanes = new LinkedHashMap<>();
    private final OutboundBytes bytes;
    private int size;

    /** Creates an outbox that counts its queued bytes in {@code bytes}. */
    Outbox(OutboundBytes bytes) {
        this.bytes = bytes;
    }

    /** Adds a frame for one session, and takes ownership of one reference to the frame. */
    void add(Session session, ByteBuf frame) {
        lane(session.eventLoop()).add(new OutboundQueue.Delivery(List.of(session), frame, OutboundQueue.Then.GO_ON));
        added(1);
    }

    /** Adds one frame for several sessions, and takes ownership of one reference to the frame. */
    void addAll(List<Session> sessions, ByteBuf frame) {
        Map<EventLoop, List<Session>> byLoop = new LinkedHashMap<>();
        for (var session : sessions) {
            byLoop.computeIfAbsent(session.eventLoop(), loop -> new ArrayList<>())
                    .add(session);
        }
        byLoop.forEach((loop, there) ->
                lane(loop).add(new OutboundQueue.Delivery(there, frame.retainedDuplicate(), OutboundQueue.Then.GO_ON)));
        frame.release();
        added(sessions.size());
    }

    /** Adds the last frame of a session. The socket is closed after this frame. */
    void addLast(Session session, ByteBuf frame) {
        lane(session.eventLoop()).add(new OutboundQueue.Delivery(List.of(session), frame, OutboundQueue.Then.CLOSE));
        added(1);
    }

    /** Makes the session report to the hub after its socket has taken all earlier frames. */
    void awaitFlush(Session session) {
        lane(session.eventLoop())
                .add(new OutboundQueue.Delivery(
                        List.of(session), Unpooled.EMPTY_BUFFER, OutboundQueue.Then.REPORT_FLUSH));
        added(1);
    }

    /**
     * Hands all frames over to the event loops. The method waits for an event loop that has too many pending frames.
     */
    void handOver() {
        size = 0;
        lanes.values().forEach(OutboundQueue::handOver);
    }

    private void added(int deliveries) {
        size += deliveries;
        if (size >= MAX_DELIVERIES) {
            handOver();
        }
    }

    private OutboundQueue lane(EventLoop loop) {
        return lanes.computeIfAbsent(loop, each -> new OutboundQueue(each, bytes));
    }
}
