package dev.doyen.cluster;

import java.io.DataInput;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jgroups.Address;
import org.jgroups.blocks.cs.NioServer;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.FD_SOCK2;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.ByteArrayDataInputStream;
import org.jgroups.util.ThreadFactory;

/**
 * The sockets of the failure detector. The sockets use their own port and encrypted frames.
 *
 * <p>If a frame cannot be decrypted, the class closes the connection.
 */
public final class EncryptedSockets extends FD_SOCK2 {

    private final IncomingFrames incoming;

    EncryptedSockets(IncomingFrames incoming) {
        this.incoming = incoming;
        // JGroups identifies the headers of a protocol by its id, so this class uses the id of its superclass.
        setId(ClassConfigurator.getProtocolId(FD_SOCK2.class));
    }

    @Override
    public void receive(Address from, DataInput in, int length) throws Exception {
        byte[] plain = incoming.read(FrameCipher.Line.SUSPICION, (IpAddress) srv.localAddress(), from, in, length);
        super.receive(from, new ByteArrayDataInputStream(plain), plain.length);
    }

    @Override
    protected NioServer createServer(int[] ports) {
        try {
            var server = new Server(getThreadFactory(), ports[0]);
            server.setMaxLength(FrameCipher.MAX_FRAME);
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "port " + ports[0] + " of the failure detector cannot be opened: " + e.getMessage(), e);
        } catch (Exception e) {
            throw new IllegalStateException("port " + ports[0] + " cannot be opened: " + e.getMessage(), e);
        }
    }

    private final class Server extends NioServer {
        Server(ThreadFactory threads, int port) throws Exception {
            super(threads, getSocketFactory(), bind_addr, port, port, null, 0, 0);
        }

        @Override
        public void send(Address to, byte[] data, int offset, int length) throws Exception {
            byte[] frame = incoming.cipher().encrypt(FrameCipher.Line.SUSPICION, (IpAddress) to, data, offset, length);
            super.send(to, frame, 0, frame.length);
        }
    }
}
