package dev.doyen.stores.quorum;

import dev.doyen.store.support.SharedKey;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Executes the handshake of a connection. Each side sends a hello, then an empty frame.
 *
 * <p>The empty frame proves that its sender has the secret. Until this proof is verified, the process reads at most 40
 * bytes from its peer.
 *
 * <p>Threads: one.
 */
final class Handshake {

    private static final byte[] PROOF = {};
    private static final String LATE = "it did not finish the handshake in time";

    private final Socket socket;
    private final Duration atMost;
    private final long start = System.nanoTime();

    private Handshake(Socket socket, Duration atMost) {
        this.socket = socket;
        this.atMost = atMost;
    }

    /**
     * Executes the handshake as the connecting side.
     *
     * @throws RefusedPeerException if the peer has a different protocol or secret
     * @throws ClosedHandshakeException if the peer closed the connection
     */
    static FrameCipher connecting(Socket socket, @Nullable SharedKey shared, Duration atMost) throws IOException {
        var handshake = new Handshake(socket, atMost);
        byte[] own = FrameCipher.hello(shared);
        boolean isAfterProof = false;
        try {
            handshake.write(own);
            FrameCipher seal =
                    FrameCipher.of(shared, FrameCipher.Side.CONNECTING, own, handshake.read(FrameCipher.HELLO_BYTES));
            isAfterProof = true;
            handshake.write(framed(seal.seal(PROOF)));
            handshake.readProof(seal);
            return seal;
        } catch (EOFException | SocketException e) {
            throw new ClosedHandshakeException(isAfterProof);
        }
    }

    /** Executes the handshake as the accepting side. */
    static FrameCipher accepting(Socket socket, @Nullable SharedKey shared, Duration atMost) throws IOException {
        var handshake = new Handshake(socket, atMost);
        byte[] own = FrameCipher.hello(shared);
        try {
            byte[] other = handshake.read(FrameCipher.HELLO_BYTES);
            // Send our hello before we check the peer's hello, so that both sides can log a mismatch.
            handshake.write(own);
            FrameCipher seal = FrameCipher.of(shared, FrameCipher.Side.ACCEPTING, own, other);
            handshake.readProof(seal);
            handshake.write(framed(seal.seal(PROOF)));
            return seal;
        } catch (SocketTimeoutException e) {
            throw new RefusedPeerException(LATE + "; if it is a member, it may be busy, or frozen");
        }
    }

    /** Returns the bytes to send: the length of the sealed frame, then the frame. */
    static byte[] framed(byte[] sealed) {
        return ByteBuffer.allocate(Integer.BYTES + sealed.length)
                .putInt(sealed.length)
                .put(sealed)
                .array();
    }

    private void readProof(FrameCipher seal) throws IOException {
        if (ByteBuffer.wrap(read(Integer.BYTES)).getInt() != seal.overhead()) {
            throw new RefusedPeerException(
                    "its first frame is not empty; if it is a member, run the same version of Doyen on all members");
        }
        seal.open(read(seal.overhead()));
    }

    private void write(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    private byte[] read(int count) throws IOException {
        var bytes = new byte[count];
        int read = 0;
        while (read < count) {
            long left = atMost.toNanos() - (System.nanoTime() - start);
            if (left <= 0) {
                throw new SocketTimeoutException(LATE);
            }
            // A timeout of zero would wait forever.
            socket.setSoTimeout((int) (1 + left / 1_000_000));
            int more;
            try {
                more = socket.getInputStream().read(bytes, read, count - read);
            } catch (SocketTimeoutException e) {
                throw new SocketTimeoutException(LATE);
            }
            if (more < 0) {
                throw new EOFException("the connection was closed during the handshake");
            }
            read += more;
        }
        return bytes;
    }
}
