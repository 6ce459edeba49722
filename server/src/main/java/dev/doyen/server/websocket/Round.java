package dev.doyen.server.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One round of an event loop over its sockets: queues to each what has come for it, in order, and flushes it once. Frames
 * that the same many sessions get one after the other are put together first: they are copied once, and then are one thing
 * to queue for each of them, not several.
 *
 * <p>Threads: the event loop's.
 */
final class Round {

    /** Longer frames are not worth copying; nor is a piece longer than a socket takes at once. */
    private static final int MAX_PIECE_BYTES = 64 * 1024;

    private final List<Session> touched = new ArrayList<>();
    /** Those that get something by themselves, between what all get, and so get each frame by itself. */
    private final Set<Session> apart = new HashSet<>();

    private List<Session> receivers = List.of();
    private final List<ByteBuf> together = new ArrayList<>();
    private int bytes;

    /** Writes all this, and lets go of the frames. Returns how many deliveries that was. */
    static int write(List<Lane.Delivery> deliveries) {
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
    }

    private void add(Lane.Delivery delivery) {
        if (delivery.then() == Lane.Then.CLOSE) {
            delivery.to().get(0).end(delivery.frame());
            return;
        }
        for (Session session : delivery.to()) {
            if (apart.contains(session)) {
                write(session, delivery.frame());
            }
        }
        if (delivery.to().size() == 1) {
            delivery.frame().release();
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
        ByteBuf piece = together.size() == 1 ? together.get(0) : joined();
        for (Session session : receivers) {
            if (!apart.contains(session)) {
                write(session, piece);
            }
        }
        piece.release();
        together.clear();
        bytes = 0;
    }

    private ByteBuf joined() {
        ByteBuf piece = ByteBufAllocator.DEFAULT.directBuffer(bytes, bytes);
        for (ByteBuf frame : together) {
            piece.writeBytes(frame, frame.readerIndex(), frame.readableBytes());
            frame.release();
        }
        return piece;
    }

    private void write(Session session, ByteBuf frame) {
        if (session.write(frame.retainedDuplicate())) {
            touched.add(session);
        }
    }
}
