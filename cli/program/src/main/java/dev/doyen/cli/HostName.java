package dev.doyen.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/** The name of this machine. */
final class HostName {

    private HostName() {}

    /**
     * Returns the host name. Reads it from the kernel if possible.
     *
     * <p>The kernel is preferred because the JDK would also query the name server.
     */
    static String get() {
        try {
            var kernel = Path.of("/proc/sys/kernel/hostname");
            return Files.isReadable(kernel)
                    ? Files.readString(kernel).strip()
                    : InetAddress.getLocalHost().getHostName();
        } catch (IOException e) {
            return "host";
        }
    }
}
