package dev.doyen.cluster;

import java.io.DataInput;
import java.io.IOException;
import org.jgroups.Address;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.TCP;

/**
 * The TCP transport of a cluster without a secret.
 *
 * <p>If a frame contains a serialized Java object, the transport closes the connection.
 */
public final class FilteredTcp extends TCP {

    private final SerializedObjectFilter objects = new SerializedObjectFilter();

    FilteredTcp() {
        // JGroups identifies the headers of a protocol by its id, so this class uses the id of its superclass.
        setId(ClassConfigurator.getProtocolId(TCP.class));
        setMaxLength(FrameCipher.MAX_FRAME);
    }

    @Override
    public void receive(Address from, DataInput in, int length) throws Exception {
        if (length < 0 || length > FrameCipher.MAX_FRAME) {
            throw new IOException("a frame of " + length + " bytes; it may have 0 to " + FrameCipher.MAX_FRAME);
        }
        var frame = new byte[length];
        in.readFully(frame);
        objects.check(from, frame);
        receive(from, frame, 0, length);
    }

    SerializedObjectFilter objects() {
        return objects;
    }
}
