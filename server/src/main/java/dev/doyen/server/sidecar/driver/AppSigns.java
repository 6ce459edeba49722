package dev.doyen.server.sidecar.driver;

import dev.doyen.server.sidecar.AppSign;
import dev.doyen.server.sidecar.AppWatch;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/** What there is to be seen of the app: its processes, or else its port. Threads: one. */
public final class AppSigns {

    private static final int CONNECT_MILLIS = 200;

    private final Optional<AppProcesses> processes;
    private final OptionalInt port;
    private AppWatch watch = AppWatch.BEGIN;

    private AppSigns(Optional<AppProcesses> processes, OptionalInt port) {
        this.processes = processes;
        this.port = port;
    }

    /** No process is watched; {@code port} may be empty too. */
    public static AppSigns ofPort(OptionalInt port) {
        return new AppSigns(Optional.empty(), port);
    }

    /** The process whose number is in {@code file} is the app. */
    public static AppSigns ofPidFile(Path file) {
        return new AppSigns(Optional.of(AppProcesses.ofPidFile(file)), OptionalInt.empty());
    }

    /** Every process whose program has this name is the app. */
    public static AppSigns ofCommand(String name) {
        return new AppSigns(Optional.of(AppProcesses.ofCommand(name)), OptionalInt.empty());
    }

    boolean seesProcesses() {
        return processes.isPresent();
    }

    /** Looks at the processes; only that proves anything while the sidecar goes on. */
    AppSign lookAtProcesses() {
        processes.ifPresent(table -> watch = watch.looked(table.living()));
        return watch.sign();
    }

    /** Looks at whatever there is, once this sidecar is leaving. */
    AppSign look() {
        if (processes.isPresent() || port.isEmpty()) {
            return lookAtProcesses();
        }
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port.getAsInt()), CONNECT_MILLIS);
            return AppSign.LIVES;
        } catch (IOException e) {
            return AppSign.GONE;
        }
    }
}
