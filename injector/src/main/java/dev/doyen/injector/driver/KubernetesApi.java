package dev.doyen.injector.driver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * The few things that are asked of the Kubernetes API. An answer of any status is an answer; {@link IOException} means that
 * there was none. Threads: any.
 */
final class KubernetesApi {

    static final String MERGE_PATCH = "application/merge-patch+json";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(15);
    private static final int OK = 200;

    private final ClusterAccess access;
    private final HttpClient client;

    KubernetesApi(ClusterAccess access) throws IOException {
        this.access = access;
        // HTTP/2 would put all watches on one connection, which carries a hundred or so and then refuses.
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT_TIMEOUT)
                .sslContext(trusting(access.authorities()))
                .build();
    }

    /** What the server said. */
    record Answer(int status, JsonNode body) {

        /** The body, if the status is one of these; else an {@link IOException} with the server's own words. */
        JsonNode expect(String what, int... statuses) throws IOException {
            for (int expected : statuses) {
                if (status == expected) {
                    return body;
                }
            }
            throw new IOException(what + ": the API server answered " + status + ": "
                    + body.path("message").asText("without a word"));
        }
    }

    Answer get(String path) throws IOException, InterruptedException {
        return send(request(path).timeout(REQUEST_TIMEOUT).GET());
    }

    Answer post(String path, JsonNode body) throws IOException, InterruptedException {
        return send("POST", path, "application/json", body);
    }

    Answer put(String path, JsonNode body) throws IOException, InterruptedException {
        return send("PUT", path, "application/json", body);
    }

    Answer patch(String path, String kind, JsonNode body) throws IOException, InterruptedException {
        return send("PATCH", path, kind, body);
    }

    /** Follows a list; each line is a change. The answer comes when the server ends it, or refuses it. */
    CompletableFuture<Void> watch(String path, Flow.Subscriber<String> lines) throws IOException {
        var wanted = request(path).GET().build();
        return client.sendAsync(wanted, answer -> {
                    if (answer.statusCode() != OK) {
                        lines.onError(new IOException("the API server refused a watch with " + answer.statusCode()));
                        return BodySubscribers.discarding();
                    }
                    return BodySubscribers.fromLineSubscriber(lines);
                })
                .thenAccept(answer -> {});
    }

    static JsonNode parse(String line) throws IOException {
        return JSON.readTree(line);
    }

    private Answer send(String method, String path, String contentType, JsonNode body)
            throws IOException, InterruptedException {
        return send(request(path)
                .timeout(REQUEST_TIMEOUT)
                .header("Content-Type", contentType)
                .method(method, HttpRequest.BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body))));
    }

    private Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<byte[]> answer = client.send(request.build(), BodyHandlers.ofByteArray());
        var type = answer.headers().firstValue("Content-Type").orElse("");
        var body = type.startsWith("application/json") ? JSON.readTree(answer.body()) : MissingNode.getInstance();
        return new Answer(answer.statusCode(), body);
    }

    private HttpRequest.Builder request(String path) throws IOException {
        var token = Files.readString(access.token(), StandardCharsets.US_ASCII).strip();
        return HttpRequest.newBuilder(URI.create(access.server() + path))
                .header("Authorization", "Bearer " + token)
                .header("Accept", "application/json")
                .header("User-Agent", "doyen-injector");
    }

    private static SSLContext trusting(Path authorities) throws IOException {
        try (var in = Files.newInputStream(authorities)) {
            var trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            int number = 0;
            for (var each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                trusted.setCertificateEntry("authority-" + number++, each);
            }
            var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            var context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (NoSuchFileException e) {
            throw new IOException(
                    "there is no file " + authorities
                            + " with what vouches for the API server; name one by --server-ca-file",
                    e);
        } catch (GeneralSecurityException e) {
            throw new IOException(authorities + " holds no certificates that could vouch for the API server", e);
        }
    }
}
