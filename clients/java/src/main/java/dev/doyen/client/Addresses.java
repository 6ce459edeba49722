package dev.doyen.client;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The addresses of an elector.
 *
 * @param question the address of single requests
 * @param stream the address of the event stream
 */
record Addresses(Optional<URI> question, Optional<URI> stream) {

    private static final int MAX_PORT = 65_535;

    static Addresses of(Map<String, String> environment) {
        Optional<URI> question = uriIn(environment, "ELECTOR_GET_URL").or(() -> uriIn(environment, "ELECTOR_PATH"));
        Optional<URI> stream = uriIn(environment, "ELECTOR_SSE_URL");
        if (question.isEmpty() && stream.isEmpty()) {
            String why = environment.containsKey("ELECTOR_GET_URL") ? "is empty" : "is not set";
            throw new IllegalStateException("the address of the elector is unknown, because ELECTOR_GET_URL " + why
                    + "; run the elector's sidecar in this pod, or set ELECTOR_GET_URL to the elector's address, like"
                    + " http://localhost:4040/");
        }
        return new Addresses(question, stream);
    }

    static Addresses at(String url) {
        URI base = uri("url", url);
        return new Addresses(Optional.of(base.resolve("/")), Optional.of(base.resolve("/sse")));
    }

    static Addresses at(String url, String election) {
        if (election.isBlank()) {
            throw new IllegalArgumentException("election must not be blank");
        }
        String path = "/v1/elections/"
                + URLEncoder.encode(election, StandardCharsets.UTF_8).replace("+", "%20");
        URI base = uri("url", url);
        return new Addresses(Optional.of(base.resolve(path)), Optional.of(base.resolve(path + "/events")));
    }

    /**
     * Adds a parameter that requests heartbeat comments.
     *
     * <p>The elector then sends a comment every fifth of {@code maxAge}, rounded down to whole seconds, but at most
     * once a second. The method does not
     * replace an existing parameter. The NAIS elector ignores the parameter.
     */
    static URI withHeartbeat(URI stream, Duration maxAge) {
        if (stream.getRawQuery() != null && ("&" + stream.getRawQuery()).contains("&heartbeat=")) {
            return stream;
        }
        long seconds = Math.max(1, maxAge.toSeconds() / 5);
        String before = stream.getRawQuery() == null ? "?" : "&";
        String text = stream.toString();
        int fragment = text.indexOf('#');
        return URI.create((fragment < 0 ? text : text.substring(0, fragment)) + before + "heartbeat=" + seconds + "s");
    }

    private static Optional<URI> uriIn(Map<String, String> environment, String variable) {
        String text = environment.getOrDefault(variable, "");
        return text.isBlank() ? Optional.empty() : Optional.of(uri(variable, text));
    }

    /** @param what the name of the variable or parameter that contains the address */
    private static URI uri(String what, String text) {
        String trimmed = text.strip();
        try {
            URI uri = new URI(trimmed.contains("://") ? trimmed : "http://" + trimmed);
            boolean web = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
            if (web && uri.getHost() != null && uri.getPort() <= MAX_PORT) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // The exception below reports the invalid address with a clearer message.
        }
        throw new IllegalArgumentException(
                what + " (\"" + trimmed + "\") is not the address of an elector; write it like http://localhost:4040/");
    }
}
