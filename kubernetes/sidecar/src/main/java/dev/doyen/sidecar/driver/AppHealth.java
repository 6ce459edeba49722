package dev.doyen.sidecar.driver;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Health checks of an app; each has a time limit and treats every fault as unhealthy. */
public final class AppHealth {

    private static final int FIRST_BAD_STATUS = 400;

    private AppHealth() {}

    /** Healthy if a GET returns a status from 200 to 399, as in Kubernetes probes; follows no redirect. */
    public static BooleanSupplier http(URI url, Duration patience) {
        int millis = (int) patience.toMillis();
        return () -> {
            try {
                var connection = (HttpURLConnection) url.toURL().openConnection();
                connection.setConnectTimeout(millis);
                connection.setReadTimeout(millis);
                connection.setInstanceFollowRedirects(false);
                connection.setUseCaches(false);
                try {
                    int status = connection.getResponseCode();
                    return status >= HttpURLConnection.HTTP_OK && status < FIRST_BAD_STATUS;
                } finally {
                    connection.disconnect();
                }
            } catch (IOException e) {
                return false;
            }
        };
    }

    /** Healthy if the port accepts a connection. */
    public static BooleanSupplier tcp(String host, int port, Duration patience) {
        return () -> {
            try (var socket = new Socket()) {
                socket.connect(new InetSocketAddress(host, port), (int) patience.toMillis());
                return true;
            } catch (IOException e) {
                return false;
            }
        };
    }

    /** Healthy if the file exists. */
    public static BooleanSupplier file(Path file) {
        return () -> Files.exists(file);
    }

    /** Healthy if the command exits with 0; it runs without a shell. */
    public static BooleanSupplier exec(List<String> words, Duration patience) {
        return () -> {
            Process process;
            try {
                process = new ProcessBuilder(words)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
            } catch (IOException e) {
                return false;
            }
            try {
                return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS) && process.exitValue() == 0;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            } finally {
                process.destroyForcibly();
            }
        };
    }
}
