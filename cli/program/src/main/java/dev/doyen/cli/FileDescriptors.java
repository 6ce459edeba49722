package dev.doyen.cli;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Optional;

/** Compares the connection limits of a hub with the file descriptors of its process. */
final class FileDescriptors {

    /** The number of descriptors for files, for the store and for the JVM. */
    static final int RESERVE = 500;

    private FileDescriptors() {}

    /**
     * Returns a warning if this process has too few file descriptors for its connections. The result is empty if the
     * process has enough file descriptors, or if the operating system does not report their number.
     *
     * @param connections the maximum number of connections of all ports
     */
    static Optional<String> warning(int connections) {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                ? warning(connections, system.getMaxFileDescriptorCount())
                : Optional.empty();
    }

    static Optional<String> warning(int connections, long descriptors) {
        long needed = (long) connections + RESERVE;
        return descriptors < needed
                ? Optional.of("this process may open " + descriptors + " files and sockets, and its connection limits"
                        + " need " + needed + "; raise the limit (ulimit -n " + needed
                        + "), or lower limits.connections in --settings")
                : Optional.empty();
    }
}
