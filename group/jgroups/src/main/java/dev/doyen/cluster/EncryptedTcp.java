package dev.doyen.cluster;

import java.io.DataInput;
import java.io.IOException;
import java.util.Objects;
import org.jgroups.Address;
import org.jgroups.protocols.TCP;
import org.jgroups.stack.IpAddress;

/**
 * The TCP transport with encrypted frames.
 *
 * <p>The transport itself decrypts the frames, because the transport parses a message before other protocols receive
 * the message. Without decryption, a forged message could make the parser load any class. The transport closes a
 * connection if a frame cannot be decrypted or contains a serialized Java object.
 */
public final class EncryptedTcp extends TCP {

    private final IncomingFrames incoming;
    private final SerializedObjectFilter objects = new SerializedObjectFilter();

    EncryptedTcp(IncomingFrames incoming) {
        this.incoming = incoming;
        setMaxLength(FrameCipher.MAX_FRAME);
    }

    @Override
    public void send(Address to, byte[] data, int offset, int length) throws Exception {
        byte[] frame = incoming.cipher().encrypt(FrameCipher.Line.MESSAGES, (IpAddress) to, data, offset, length);
        super.send(to, frame, 0, frame.length);
    }

    @Override
    public void receive(Address from, DataInput in, int length) throws Exception {
        byte[] plain = incoming.read(FrameCipher.Line.MESSAGES, own(), from, in, length);
        objects.check(from, plain);
        super.receive(from, plain, 0, plain.length);
    }

    /** Receives frames that this process sends to itself. */
    @Override
    public void receive(Address from, byte[] data, int offset, int length) {
        try {
            byte[] plain = incoming.open(FrameCipher.Line.MESSAGES, own(), from, data, offset, length);
            super.receive(from, plain, 0, plain.length);
        } catch (IOException e) {
            // The frame is dropped. IncomingFrames has counted it.
        }
    }

    IncomingFrames incoming() {
        return incoming;
    }

    SerializedObjectFilter objects() {
        return objects;
    }

    private IpAddress own() {
        return (IpAddress) Objects.requireNonNull(getPhysicalAddress(), "listens before anything arrives");
    }
}
