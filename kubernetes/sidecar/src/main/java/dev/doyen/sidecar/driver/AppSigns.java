package dev.doyen.sidecar.driver;

import dev.doyen.sidecar.AppSign;
import dev.doyen.sidecar.AppWatch;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/** Observes the app by its processes or by its port. Threads: one. */
public final class AppSigns {

    private static final int CONNECT_MILLIS = 200;

    private final Optional<AppProcesses> processes;
    private final OptionalInt port;
    private AppWatch watch = AppWatch.BEGIN;

    private AppSigns(Optional<AppProcesses> processes, OptionalInt port) {
        this.processes = processes;
        this.port = port;
    }

    /** Observes the port, or nothing if {@code port} is empty. */
    public static AppSigns ofPort(OptionalInt port) {
        return new AppSigns(Optional.empty(), port);
    }

    /** Observes the process whose pid is in {@code file}. */
    public static AppSigns ofPidFile(Path file) {
        return new AppSigns(Optional.of(AppProcesses.ofPidFile(file)), OptionalInt.empty());
    }

    /** Observes all processes whose program has this name. */
    public static AppSigns ofCommand(String name) {
        return new AppSigns(Optional.of(AppProcesses.ofCommand(name)), OptionalInt.empty());
    }

    boolean seesProcesses() {
        return processes.isPresent();
    }

    /** Checks the processes. During normal operation only this check counts as proof. */
    AppSign lookAtProcesses() {
        processes.ifPresent(table -> watch = watch.looked(table.living()));
        return watch.sign();
    }

    /** Checks the processes or the port; used during the shutdown. */
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
