package dev.doyen.group.process;

import java.io.ObjectInputFilter;
import java.lang.System.Logger.Level;

/** Disables the deserialization of Java objects, which a member process never needs. */
public final class ObjectDeserialization {

    private static final System.Logger LOG = System.getLogger("dev.doyen");

    private ObjectDeserialization() {}

    /**
     * Rejects all serialized Java objects in this JVM from now on.
     *
     * <p>If this JVM already has a filter, for example from {@code jdk.serialFilter}, this method does not replace that
     * filter. Only a program may call this method, because a library must not restrict its process.
     */
    public static void refuse() {
        if (ObjectInputFilter.Config.getSerialFilter() != null) {
            LOG.log(
                    Level.INFO,
                    "jdk.serialFilter is set and stays as it is: it decides which Java objects may be read");
            return;
        }
        ObjectInputFilter.Config.setSerialFilter(info -> ObjectInputFilter.Status.REJECTED);
    }
}
