package dev.doyen.program.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.doyen.kubernetesserver.KubernetesServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Sends requests to an API server with the credentials of one account. */
final class Account {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final HttpClient client;
    private final String url;
    private final String token;

    Account(KubernetesServer server, String token) throws Exception {
        this.url = server.url();
        this.token = token;
        var trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        try (InputStream in = Files.newInputStream(server.caFile())) {
            int at = 0;
            for (var each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                trusted.setCertificateEntry("ca-" + at++, each);
            }
        }
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        var tls = SSLContext.getInstance("TLS");
        tls.init(null, trust.getTrustManagers(), null);
        client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(tls)
                .build();
    }

    HttpResponse<String> send(String method, String path, String body) throws IOException, InterruptedException {
        return send(method, path, body, "application/json");
    }

    HttpResponse<String> send(String method, String path, String body, String accept)
            throws IOException, InterruptedException {
        return client.send(
                request(path, accept)
                        .method(
                                method,
                                body.isEmpty()
                                        ? HttpRequest.BodyPublishers.noBody()
                                        : HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    /** Returns a streaming response, which lasts until the server or the caller closes it. */
    InputStream stream(String path) throws IOException, InterruptedException {
        return client.send(request(path, "application/json").build(), BodyHandlers.ofInputStream())
                .body();
    }

    private HttpRequest.Builder request(String path, String accept) {
        return HttpRequest.newBuilder(URI.create(url + path))
                .timeout(PATIENCE)
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .header("Accept", accept);
    }

    static JsonNode json(HttpResponse<String> answer) throws IOException {
        return MAPPER.readTree(answer.body());
    }

    static JsonNode json(String text) throws IOException {
        return MAPPER.readTree(text);
    }
}
