package dev.doyen.hub.server.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Writes one batch of deliveries of an event loop, and flushes each socket once.
 *
 * <p>The class first joins successive frames that go to the same group of sessions. The joined frames are copied once,
 * and each session queues one buffer instead of several.
 *
 * <p>The event loop calls the methods.
 */
final class Round {

    /**
     * The maximum size of a joined frame. A copy of a longer frame takes too much time, and a socket does not accept a
     * longer buffer at once.
     */
    private static final int MAX_PIECE_BYTES = 64 * 1024;

    private final List<Session> touched = new ArrayList<>();
    /**
     * The sessions for which this batch contains a frame that no other session receives. All frames of these sessions
     * are written one by one, to preserve the order.
     */
    private final Set<Session> apart = new HashSet<>();

    private List<Session> receivers = List.of();
    private final List<ByteBuf> together = new ArrayList<>();
    private int bytes;

    /**
     * Writes the deliveries and releases their frames, even if a write throws. Returns the number of frames, counted
     * once per receiver.
     */
    static int write(List<OutboundQueue.Delivery> deliveries) {
        try {
            var round = new Round();
            int count = 0;
            for (var delivery : deliveries) {
                count += delivery.to().size();
                if (delivery.to().size() == 1) {
                    round.apart.add(delivery.to().get(0));
                }
            }
            deliveries.forEach(round::add);
            round.writeTogether();
            round.touched.forEach(Session::flush);
            return count;
        } finally {
            deliveries.forEach(delivery -> delivery.frame().release());
        }
    }

    private void add(OutboundQueue.Delivery delivery) {
        if (delivery.then() == OutboundQueue.Then.CLOSE) {
            delivery.to().get(0).end(delivery.frame().retain());
            return;
        }
        if (delivery.then() == OutboundQueue.Then.REPORT_FLUSH) {
            Session session = delivery.to().get(0);
            if (session.reportFlush()) {
                touched.add(session);
            }
            return;
        }
        for (Session session : delivery.to()) {
            if (apart.contains(session)) {
                write(session, delivery.frame());
            }
        }
        if (delivery.to().size() == 1) {
            return;
        }
        int length = delivery.frame().readableBytes();
        if (!delivery.to().equals(receivers) || bytes + length > MAX_PIECE_BYTES) {
            writeTogether();
            receivers = delivery.to();
        }
        together.add(delivery.frame());
        bytes += length;
    }

    private void writeTogether() {
        if (together.isEmpty()) {
            return;
        }
        ByteBuf piece = together.size() == 1 ? together.get(0).retain() : joined();
        try {
            for (Session session : receivers) {
                if (!apart.contains(session)) {
                    write(session, piece);
                }
            }
        } finally {
            piece.release();
        }
        together.clear();
        bytes = 0;
    }

    private ByteBuf joined() {
        ByteBuf piece = ByteBufAllocator.DEFAULT.directBuffer(bytes, bytes);
        for (ByteBuf frame : together) {
            piece.writeBytes(frame, frame.readerIndex(), frame.readableBytes());
        }
        return piece;
    }

    private void write(Session session, ByteBuf frame) {
        if (session.write(frame.retainedDuplicate())) {
            touched.add(session);
        }
    }
}
