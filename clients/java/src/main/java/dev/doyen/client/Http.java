package dev.doyen.client;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;

/** The one HTTP client of the process: its threads are daemons, and there are no more of them for more electors. */
final class Http {

    static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(Duration.ofSeconds(60))
            .build();

    private Http() {}

    /** No timeout of the request's own: whether it holds for the body too depends on the JDK. Who sends it counts. */
    static HttpRequest.Builder get(URI url) {
        return HttpRequest.newBuilder(url).GET();
    }
}
