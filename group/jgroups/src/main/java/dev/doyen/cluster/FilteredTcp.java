package dev.doyen.cluster;

import java.io.DataInput;
import java.io.IOException;
import org.jgroups.Address;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.TCP;

/**
 * The TCP transport of a cluster without a secret.
 *
 * <p>A connection on which a serialized Java object arrives is closed.
 */
public final class FilteredTcp extends TCP {

    private final SerializedObjectFilter objects = new SerializedObjectFilter();

    FilteredTcp() {
        // JGroups identifies this protocol's headers by this id.
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
