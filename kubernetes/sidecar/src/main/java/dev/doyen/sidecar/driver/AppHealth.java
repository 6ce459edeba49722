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
import javax.net.ssl.HttpsURLConnection;

/** Creates health checks of an app. Each check except the file check has a time limit. A fault counts as unhealthy. */
public final class AppHealth {

    private static final int FIRST_BAD_STATUS = 400;

    private AppHealth() {}

    /**
     * Returns a check by a GET request. As in Kubernetes probes, the app is healthy if the status is 200 to 399, and an
     * https URL accepts any certificate. The check follows no redirect.
     *
     * @param patience the time limit for the connection, and for each read of the response
     */
    public static BooleanSupplier http(URI url, Duration patience) {
        int millis = (int) patience.toMillis();
        return () -> {
            try {
                var connection = (HttpURLConnection) url.toURL().openConnection();
                connection.setConnectTimeout(millis);
                connection.setReadTimeout(millis);
                connection.setInstanceFollowRedirects(false);
                connection.setUseCaches(false);
                if (connection instanceof HttpsURLConnection secure) {
                    secure.setSSLSocketFactory(AnyCertificate.sockets());
                    secure.setHostnameVerifier((host, session) -> true);
                }
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

    /**
     * Returns a check by a TCP connection. The app is healthy if the port accepts the connection within {@code
     * patience}.
     */
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

    /** Returns a check by a file. The app is healthy if the file exists. */
    public static BooleanSupplier file(Path file) {
        return () -> Files.exists(file);
    }

    /**
     * Returns a check by a command, which runs without a shell. The app is healthy if the command exits with 0 within
     * {@code patience}.
     */
    public static BooleanSupplier exec(List<String> command, Duration patience) {
        return () -> {
            Process process;
            try {
                process = new ProcessBuilder(command)
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
