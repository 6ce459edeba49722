package dev.doyen.stores.quorum;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;

/**
 * A connection after its handshake.
 *
 * <p>Each frame is sent as its length and its sealed bytes. An empty frame is a heartbeat.
 *
 * <p>Threads: any may send and close. One thread reads and one thread writes.
 */
final class TcpConnection implements Wire.Peer {

    private static final int BUFFER = 64 << 10;
    private static final byte[] KEEP_ALIVE = {};

    private final TcpWire wire;
    private final Socket socket;
    private final String address;
    private final FrameCipher seal;
    private final SendQueue queue;
    private volatile boolean isClosed;

    /**
     * Creates a connection on an open socket.
     *
     * @param queue the outbound queue of the connection
     */
    TcpConnection(TcpWire wire, Socket socket, String address, FrameCipher seal, SendQueue queue) {
        this.wire = wire;
        this.socket = socket;
        this.address = address;
        this.seal = seal;
        this.queue = queue;
    }

    @Override
    public void send(byte[] frame) {
        if (!isClosed && !wire.enqueue(queue, address, frame)) {
            // The wire dropped the frame. Close the connection, so that the peer detects the loss and does not wait for
            // the frame.
            close();
        }
    }

    @Override
    public void end() {
        close();
    }

    boolean isClosed() {
        return isClosed;
    }

    /** Receives frames until the connection ends, and then closes it. */
    void read() {
        untilItEnds(() -> {
            var in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER));
            socket.setSoTimeout((int) wire.limits().silence().toMillis());
            while (!isClosed) {
                byte[] frame = seal.open(sealed(in));
                if (frame.length > 0) {
                    receive(frame);
                }
            }
        });
        wire.faults()
                .survives(
                        "ending a connection of the quorum",
                        () -> wire.receiver().ended(this));
    }

    /** Sends frames until the connection ends, and then closes it. */
    void write() {
        untilItEnds(() -> {
            var out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), BUFFER));
            while (!isClosed) {
                byte[] frame = queue.poll();
                if (frame == null) {
                    out.flush();
                    queue.await(wire.limits().keepAlive(), () -> isClosed);
                    frame = queue.poll();
                }
                byte[] sealed = seal.seal(frame == null ? KEEP_ALIVE : frame);
                out.writeInt(sealed.length);
                out.write(sealed);
            }
        });
    }

    private void untilItEnds(Transfer transfer) {
        try {
            transfer.run();
        } catch (IOException e) {
            wire.ended(address, e);
        } catch (Throwable e) {
            wire.faults().report("a connection of the quorum", e);
        } finally {
            close();
        }
    }

    void close() {
        isClosed = true;
        wire.close(socket);
        queue.wake();
    }

    private byte[] sealed(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < seal.overhead() || length - seal.overhead() > Wire.MAX_FRAME) {
            throw new RefusedPeerException("the length of a frame is not from 0 to " + Wire.MAX_FRAME + " bytes");
        }
        // Allocate memory only as bytes arrive, because the length is not authenticated.
        byte[] sealed = in.readNBytes(length);
        if (sealed.length < length) {
            throw new EOFException("the connection ended within a frame");
        }
        return sealed;
    }

    private void receive(byte[] frame) throws RefusedPeerException {
        try {
            wire.receiver().receive(this, frame);
        } catch (MalformedBytesException e) {
            throw new RefusedPeerException(
                    "it sent a frame that this process cannot read; run the same version of Doyen on all members");
        } catch (Throwable e) {
            wire.faults().report("the request in a frame of the quorum", e);
        }
    }

    @FunctionalInterface
    private interface Transfer {
        void run() throws IOException, InterruptedException;
    }
}
