package dev.doyen.sidecar.driver;

import dev.doyen.sidecar.AppSign;
import dev.doyen.sidecar.AppWatch;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Observes the app by its processes or by its port.
 *
 * <p>The port proves the end of the app only if it has been open before and now refuses a connection. An app that does
 * not accept connections in time still runs (rule L11).
 *
 * <p>Threads: one.
 */
public final class AppSigns {

    private static final int CONNECT_MILLIS = 200;

    private final Optional<AppProcesses> processes;
    private final OptionalInt port;
    private AppWatch watch = AppWatch.BEGIN;
    private boolean portWasOpen;

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

    boolean observesPort() {
        return processes.isEmpty() && port.isPresent();
    }

    /** Checks the processes. During normal operation, only this check can prove that the app has ended. */
    AppSign observeProcesses() {
        processes.ifPresent(table -> watch = watch.observed(table.running()));
        return watch.sign();
    }

    /** Checks the port, unless an earlier check has found it open. The sidecar uses this check before the shutdown. */
    void observePortUntilOpen() {
        if (!portWasOpen) {
            observe();
        }
    }

    /** Checks the processes or the port. The sidecar uses this check during the shutdown. */
    AppSign observe() {
        return observesPort() ? observePort(port.getAsInt()) : observeProcesses();
    }

    private AppSign observePort(int number) {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), number), CONNECT_MILLIS);
            portWasOpen = true;
            return AppSign.RUNNING;
        } catch (ConnectException e) {
            return portWasOpen ? AppSign.ENDED : AppSign.UNKNOWN;
        } catch (IOException e) {
            // For example, a busy app has a full backlog, or this process has no file descriptor left.
            return AppSign.RUNNING;
        }
    }
}
