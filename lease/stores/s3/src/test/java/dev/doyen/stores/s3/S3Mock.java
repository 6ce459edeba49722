package dev.doyen.stores.s3;

import dev.doyen.stores.objects.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** A process of Adobe's S3Mock with a bucket. All tests share the process. */
final class S3Mock {

    static final String BUCKET = "doyen-tests";

    private static final Pattern LISTENING = Pattern.compile("Tomcat started on ports? (\\d+)");

    private static final S3Mock ONE = new S3Mock();

    private final URI uri;

    private S3Mock() {
        try {
            Path directory = Files.createTempDirectory("s3mock");
            directory.toFile().deleteOnExit();
            Path classes = Path.of(System.getProperty("servers")).resolveSibling("test-classes");
            ServerProcess process = ServerProcess.start(
                    List.of(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-Djava.io.tmpdir=" + directory,
                            "-Dloader.path=" + classes,
                            "-Dloader.main=" + S3MockAlone.class.getName(),
                            "-cp",
                            Path.of(System.getProperty("servers"), "s3mock.jar").toString(),
                            "org.springframework.boot.loader.launch.PropertiesLauncher",
                            "--server.port=0",
                            "--server.address=127.0.0.1",
                            "--http.port=0",
                            "--spring.main.banner-mode=off"),
                    directory,
                    LISTENING);
            uri = URI.create("http://127.0.0.1:" + process.port());
            makeBucket(uri, BUCKET);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static URI uri() {
        return ONE.uri;
    }

    /** Creates a bucket on a server that requires no signature. */
    static void makeBucket(URI server, String name) {
        try {
            int status = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(server.resolve("/" + name))
                                    .PUT(HttpRequest.BodyPublishers.noBody())
                                    .build(),
                            HttpResponse.BodyHandlers.discarding())
                    .statusCode();
            if (status != 200) {
                throw new IllegalStateException("the bucket could not be created: " + status);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Returns {@link #url} with a longer timeout, because the first answers take seconds on a busy machine. */
    static String patientUrl(URI server, String prefix) {
        return url(server, prefix) + "&timeout-millis=20000";
    }

    /** Returns the URL of a store on this server. */
    static String url(URI server, String prefix) {
        return "s3://" + BUCKET + "/" + prefix + "?endpoint=" + server + "&path-style=true";
    }
}
