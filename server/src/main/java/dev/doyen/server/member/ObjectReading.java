package dev.doyen.server.member;

import java.io.ObjectInputFilter;
import java.lang.System.Logger.Level;

/** Whether this process reads serialized Java objects. A process among members never has to. */
public final class ObjectReading {

    private static final System.Logger LOG = System.getLogger("dev.doyen");

    private ObjectReading() {}

    /**
     * From now on nothing in this JVM reads a serialized Java object, whoever sent it, unless {@code jdk.serialFilter} was set
     * when it was started: then that holds. For programs; a library must not decide this for the process it is in.
     */
    public static void refuse() {
        if (ObjectInputFilter.Config.getSerialFilter() != null) {
            LOG.log(Level.INFO, "jdk.serialFilter is set and stays as it is: it says which Java objects may be read");
            return;
        }
        ObjectInputFilter.Config.setSerialFilter(info -> ObjectInputFilter.Status.REJECTED);
    }
}
