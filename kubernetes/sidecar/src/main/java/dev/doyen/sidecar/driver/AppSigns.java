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

    /** Returns an object that observes the port. If {@code port} is empty, the object observes nothing. */
    public static AppSigns ofPort(OptionalInt port) {
        return new AppSigns(Optional.empty(), port);
    }

    /** Returns an object that observes the process whose pid is in {@code file}. */
    public static AppSigns ofPidFile(Path file) {
        return new AppSigns(Optional.of(AppProcesses.ofPidFile(file)), OptionalInt.empty());
    }

    /** Returns an object that observes all processes whose program has this name. */
    public static AppSigns ofCommand(String name) {
        return new AppSigns(Optional.of(AppProcesses.ofCommand(name)), OptionalInt.empty());
    }

    boolean observesProcesses() {
        return processes.isPresent();
    }

    /** Checks the processes. During normal operation, only this check can prove that the app has ended. */
    AppSign observeProcesses() {
        processes.ifPresent(table -> watch = watch.observed(table.running()));
        return watch.sign();
    }

    /** Checks the processes or the port. The sidecar uses this check during the shutdown. */
    AppSign observe() {
        if (processes.isPresent() || port.isEmpty()) {
            return observeProcesses();
        }
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port.getAsInt()), CONNECT_MILLIS);
            return AppSign.RUNNING;
        } catch (IOException e) {
            return AppSign.ENDED;
        }
    }
}
