package dev.doyen.server.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Frames on their way from the hub's thread to their sockets, collected per event loop: a batch costs one task, and ten
 * messages under one flush cost an eighth of ten flushes.
 *
 * <p>Threads: the hub's. It is emptied at least every {@value #MAX_DELIVERIES} deliveries, and {@link Lane} bounds what is
 * under way after that.
 */
final class Outbox {

    static final int MAX_DELIVERIES = 4_096;

    private final Map<EventLoop, Lane> lanes = new LinkedHashMap<>();
    private int size;

    /** Adds a frame; the outbox now owns one reference to it. */
    void add(Session session, ByteBuf frame) {
        lane(session.eventLoop()).add(new Lane.Delivery(List.of(session), frame, Lane.Then.GO_ON));
        added(1);
    }

    /** Adds one frame that all of these get; the outbox now owns one reference to it. */
    void addAll(List<Session> sessions, ByteBuf frame) {
        Map<EventLoop, List<Session>> byLoop = new LinkedHashMap<>();
        for (var session : sessions) {
            byLoop.computeIfAbsent(session.eventLoop(), loop -> new ArrayList<>())
                    .add(session);
        }
        byLoop.forEach(
                (loop, there) -> lane(loop).add(new Lane.Delivery(there, frame.retainedDuplicate(), Lane.Then.GO_ON)));
        frame.release();
        added(sessions.size());
    }

    /** Adds a session's last frame, after which its socket is closed. */
    void addLast(Session session, ByteBuf frame) {
        lane(session.eventLoop()).add(new Lane.Delivery(List.of(session), frame, Lane.Then.CLOSE));
        added(1);
    }

    /** May wait: for a loop that has too much to do. */
    void handOver() {
        size = 0;
        lanes.values().forEach(Lane::handOver);
    }

    private void added(int deliveries) {
        size += deliveries;
        if (size >= MAX_DELIVERIES) {
            handOver();
        }
    }

    private Lane lane(EventLoop loop) {
        return lanes.computeIfAbsent(loop, Lane::new);
    }
}
