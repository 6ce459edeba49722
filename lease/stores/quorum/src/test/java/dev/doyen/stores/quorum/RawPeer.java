package dev.doyen.stores.quorum;

import dev.doyen.store.support.SharedKey;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One end of a connection to a {@link TcpWire}, on which a test can send arbitrary bytes. Threads: one. */
final class RawPeer implements AutoCloseable {

    /** The time in milliseconds after which a read fails. */
    private static final int PATIENCE_MILLIS = 60_000;

    private final Socket socket;
    private @Nullable FrameCipher seal;

    private RawPeer(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(PATIENCE_MILLIS);
    }

    /** Connects to the port of this address on loopback, and sends nothing. */
    static RawPeer connect(String address) throws IOException {
        int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
        return new RawPeer(new Socket(InetAddress.getLoopbackAddress(), port));
    }

    /** Connects to exactly this address and port, and sends nothing. */
    static RawPeer connectTo(InetAddress address, int port) throws IOException {
        return new RawPeer(new Socket(address, port));
    }

    /** Connects and executes the handshake, as a member does. */
    static RawPeer connect(String address, @Nullable SharedKey key) throws IOException {
        RawPeer peer = connect(address);
        peer.seal = Handshake.connecting(peer.socket, key, Duration.ofMillis(PATIENCE_MILLIS));
        peer.socket.setSoTimeout(PATIENCE_MILLIS);
        return peer;
    }

    /** Accepts the next connection and sends nothing. */
    static RawPeer accept(ServerSocket listening) throws IOException {
        listening.setSoTimeout(PATIENCE_MILLIS);
        return new RawPeer(listening.accept());
    }

    /** Accepts the next connection and executes the handshake, as a member does. */
    static RawPeer accept(ServerSocket listening, @Nullable SharedKey key) throws IOException {
        RawPeer peer = accept(listening);
        peer.seal = Handshake.accepting(peer.socket, key, Duration.ofMillis(PATIENCE_MILLIS));
        peer.socket.setSoTimeout(PATIENCE_MILLIS);
        return peer;
    }

    byte[] seal(byte[] frame) {
        return sealed().seal(frame);
    }

    /** Sends exactly these bytes. */
    void write(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /** Sends the length and then these bytes. */
    void writeFramed(byte[] sealed) throws IOException {
        write(Handshake.framed(sealed));
    }

    /** Receives the sealed bytes of the next frame. */
    byte[] readSealed() throws IOException {
        var in = new DataInputStream(socket.getInputStream());
        var sealed = new byte[in.readInt()];
        in.readFully(sealed);
        return sealed;
    }

    byte[] read() throws IOException {
        return sealed().open(readSealed());
    }

    /** Waits until the other side has closed the connection. */
    void awaitEnd() throws IOException {
        byte[] bytes = new byte[1_000];
        try {
            while (socket.getInputStream().read(bytes) >= 0) {
                // Ignore bytes that were sent before the end.
            }
        } catch (java.net.SocketException e) {
            // The other side closed the connection before it had read all bytes, so the connection was reset.
        }
    }

    int port() {
        return socket.getLocalPort();
    }

    /** Resets the connection, as the operating system does when it kills a process that has unread bytes. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private FrameCipher sealed() {
        if (seal == null) {
            throw new IllegalStateException("no handshake has taken place");
        }
        return seal;
    }
}
