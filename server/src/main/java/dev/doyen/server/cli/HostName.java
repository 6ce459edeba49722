package dev.doyen.server.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/** This machine's name. */
final class HostName {

    private HostName() {}

    /** As the kernel has it: to ask the JDK would be to ask the name server too. */
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
