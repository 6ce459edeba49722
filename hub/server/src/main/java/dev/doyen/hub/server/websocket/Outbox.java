package dev.doyen.hub.server.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects outbound frames per event loop: one task and one flush per socket and batch.
 *
 * <p>Ten messages under one flush cost an eighth of ten flushes.
 *
 * <p>Threads: the hub's. It hands over at the latest after {@value #MAX_DELIVERIES} deliveries. {@link OutboundQueue} bounds
 * what is pending after that.
 */
final class Outbox {

    static final int MAX_DELIVERIES = 4_096;

    private final Map<EventLoop, OutboundQueue> lanes = new LinkedHashMap<>();
    private int size;

    /** Adds a frame and takes over one reference to it. */
    void add(Session session, ByteBuf frame) {
        lane(session.eventLoop()).add(new OutboundQueue.Delivery(List.of(session), frame, OutboundQueue.Then.GO_ON));
        added(1);
    }

    /** Adds one frame for several sessions and takes over one reference to it. */
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

    /** Adds the last frame of a session; its socket is closed after it. */
    void addLast(Session session, ByteBuf frame) {
        lane(session.eventLoop()).add(new OutboundQueue.Delivery(List.of(session), frame, OutboundQueue.Then.CLOSE));
        added(1);
    }

    /** Hands all frames to the event loops; waits for an event loop that has too many pending. */
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
        return lanes.computeIfAbsent(loop, OutboundQueue::new);
    }
}
