package dev.doyen.cluster;

import dev.doyen.log.FaultLog;
import java.lang.System.Logger.Level;
import java.net.DatagramPacket;
import java.net.MulticastSocket;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jgroups.BytesMessage;
import org.jgroups.Message;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.MPING;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.ByteArrayDataInputStream;
import org.jgroups.util.ByteArrayDataOutputStream;

/**
 * Discovery by multicast with encrypted packets.
 *
 * <p>The superclass handles discovery messages itself, and passes every other received message directly to the
 * protocol above it. The transport decrypts the messages that arrive over TCP, but it never receives the multicast
 * messages. Without decryption, a foreign process could inject any message. So this class decrypts the packets itself.
 */
public final class EncryptedMulticast extends MPING {

    private static final System.Logger LOG = System.getLogger("dev.doyen.cluster");
    private static final int MAX_PACKET = 65_535;

    /**
     * The delay after a failed receive. Without the delay, the thread would use a whole core while the network is
     * unavailable.
     */
    private static final long REST_NANOS = 100_000_000;

    private final FaultLog faults = new FaultLog(LOG);
    private final IncomingFrames incoming;
    private final IpAddress group;

    EncryptedMulticast(IncomingFrames incoming, IpAddress group) {
        this.incoming = incoming;
        this.group = group;
        // JGroups identifies the headers of a protocol by its id, so this class uses the id of its superclass.
        setId(ClassConfigurator.getProtocolId(MPING.class));
        setMcastAddr(group.getIpAddress());
        setMcastPort(group.getPort());
    }

    @Override
    public void run() {
        var packet = new DatagramPacket(new byte[MAX_PACKET], MAX_PACKET);
        while (Thread.currentThread().equals(receiver)) {
            MulticastSocket socket = mcast_receive_sock;
            if (socket == null) {
                return;
            }
            try {
                packet.setLength(MAX_PACKET);
                socket.receive(packet);
                take(packet);
            } catch (Throwable e) {
                if (socket.isClosed()) {
                    return;
                }
                faults.report("discovery by multicast", e);
                LockSupport.parkNanos(REST_NANOS);
            }
        }
    }

    private void take(DatagramPacket packet) {
        try {
            byte[] plain = incoming.open(
                    FrameCipher.Line.MULTICAST,
                    group,
                    packet.getSocketAddress(),
                    packet.getData(),
                    packet.getOffset(),
                    packet.getLength());
            var message = new BytesMessage();
            message.readFrom(new ByteArrayDataInputStream(plain));
            if (!Objects.equals(local_addr, message.getSrc())) {
                up(message);
            }
        } catch (Exception e) {
            // The packet is dropped. If the packet could not be decrypted, IncomingFrames has counted it.
            LOG.log(Level.DEBUG, "a discovery packet was dropped", e);
        }
    }

    @Override
    protected void sendMcastDiscoveryRequest(Message message) {
        try {
            if (message.getSrc() == null) {
                message.setSrc(local_addr);
            }
            var plain = new ByteArrayDataOutputStream(message.size() + 1);
            message.writeTo(plain);
            byte[] frame =
                    incoming.cipher().encrypt(FrameCipher.Line.MULTICAST, group, plain.buffer(), 0, plain.position());
            mcast_send_sock.send(new DatagramPacket(frame, frame.length, mcast_addr, mcast_port));
        } catch (Exception e) {
            LOG.log(Level.DEBUG, "a discovery request could not be sent by multicast", e);
        }
    }
}
