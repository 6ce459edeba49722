package dev.doyen.client;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;

/** The HTTP client that all electors of the process share. The threads of the HTTP client are daemons. */
final class Http {

    static final RenewedHttpClient CLIENT = new RenewedHttpClient(() -> HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(Duration.ofSeconds(60))
            .executor(RenewedHttpClient.executor(RenewedHttpClient::daemon))
            .build());

    private Http() {}

    /**
     * Builds a GET request without a timeout.
     *
     * <p>In some JDKs, the timeout of a request does not cover the body. Therefore the callers apply their own time
     * limits.
     */
    static HttpRequest.Builder get(URI url) {
        return HttpRequest.newBuilder(url).GET();
    }
}
