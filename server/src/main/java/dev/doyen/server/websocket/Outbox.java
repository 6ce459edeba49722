package dev.doyen.server.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;

/**
 * Frames on their way from the hub's thread to their sockets, collected per event loop, so that a batch costs one task
 * per loop and one flush per socket: ten messages under one flush cost an eighth of ten flushes.
 *
 * <p>Threads: the hub's. It is emptied at least every {@value #MAX_DELIVERIES} frames, so it stays bounded.
 */
final class Outbox {

    static final int MAX_DELIVERIES = 4_096;

    private enum Then {
        GO_ON,
        CLOSE
    }

    private record Delivery(Session session, ByteBuf frame, Then then) {}

    private Map<EventLoop, List<Delivery>> batches = new LinkedHashMap<>();
    private int size;

    /** Adds a frame; the outbox now owns one reference to it. */
    void add(Session session, ByteBuf frame) {
        add(new Delivery(session, frame, Then.GO_ON));
    }

    /** Adds a session's last frame, after which its socket is closed. */
    void addLast(Session session, ByteBuf frame) {
        add(new Delivery(session, frame, Then.CLOSE));
    }

    private void add(Delivery delivery) {
        batches.computeIfAbsent(delivery.session().eventLoop(), loop -> new ArrayList<>())
                .add(delivery);
        size++;
        if (size >= MAX_DELIVERIES) {
            handOver();
        }
    }

    void handOver() {
        var leaving = batches;
        batches = new LinkedHashMap<>();
        size = 0;
        leaving.forEach((loop, deliveries) -> {
            try {
                loop.execute(() -> deliver(deliveries));
            } catch (RejectedExecutionException e) {
                // The loop is shut down, and with it every socket of these.
                deliveries.forEach(delivery -> delivery.frame().release());
            }
        });
    }

    private static void deliver(List<Delivery> deliveries) {
        var touched = new LinkedHashSet<Session>();
        for (var delivery : deliveries) {
            if (delivery.then() == Then.CLOSE) {
                delivery.session().end(delivery.frame());
            } else {
                delivery.session().write(delivery.frame());
                touched.add(delivery.session());
            }
        }
        touched.forEach(Session::flush);
    }
}
