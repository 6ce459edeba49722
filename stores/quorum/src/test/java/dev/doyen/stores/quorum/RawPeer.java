package dev.doyen.stores.quorum;

import dev.doyen.store.SharedKey;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One end of a connection to a {@link TcpWire}, whose bytes a test decides. Threads: one. */
final class RawPeer implements AutoCloseable {

    /** For a hang. */
    private static final int PATIENCE_MILLIS = 60_000;

    private final Socket socket;
    private @Nullable FrameSeal seal;

    private RawPeer(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(PATIENCE_MILLIS);
    }

    /** Connects, and sends nothing yet. */
    static RawPeer connect(String address) throws IOException {
        int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
        return new RawPeer(new Socket(InetAddress.getLoopbackAddress(), port));
    }

    /** Connects to any address, and sends nothing yet. */
    static RawPeer connectTo(InetAddress address, int port) throws IOException {
        return new RawPeer(new Socket(address, port));
    }

    /** Connects as a member does. */
    static RawPeer connect(String address, @Nullable SharedKey key) throws IOException {
        RawPeer peer = connect(address);
        peer.seal = Handshake.connecting(peer.socket, key, Duration.ofMillis(PATIENCE_MILLIS));
        peer.socket.setSoTimeout(PATIENCE_MILLIS);
        return peer;
    }

    /** Accepts the next connection, and sends nothing yet. */
    static RawPeer accept(ServerSocket listening) throws IOException {
        listening.setSoTimeout(PATIENCE_MILLIS);
        return new RawPeer(listening.accept());
    }

    /** Accepts the next connection as a member does. */
    static RawPeer accept(ServerSocket listening, @Nullable SharedKey key) throws IOException {
        RawPeer peer = accept(listening);
        peer.seal = Handshake.accepting(peer.socket, key, Duration.ofMillis(PATIENCE_MILLIS));
        peer.socket.setSoTimeout(PATIENCE_MILLIS);
        return peer;
    }

    byte[] seal(byte[] frame) {
        return sealed().seal(frame);
    }

    /** Sends these bytes as they are. */
    void write(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /** Sends the length and these bytes. */
    void writeFramed(byte[] sealed) throws IOException {
        write(Handshake.framed(sealed));
    }

    /** Receives the bytes of the next frame as they were sealed. */
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
                // What was sent before does not matter.
            }
        } catch (java.net.SocketException e) {
            // It was reset, because bytes were on their way.
        }
    }

    int port() {
        return socket.getLocalPort();
    }

    /** Ends the connection as a process does that is killed with bytes unread. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private FrameSeal sealed() {
        if (seal == null) {
            throw new IllegalStateException("no handshake was made");
        }
        return seal;
    }
}
