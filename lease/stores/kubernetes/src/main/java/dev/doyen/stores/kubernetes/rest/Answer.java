package dev.doyen.stores.kubernetes.rest;

import dev.doyen.store.StoreUnavailableException;
import java.util.Optional;

/**
 * The API server's answer to one request.
 *
 * @param retryAfter how long to wait before the next request, in seconds, if the server asks for it
 */
public record Answer(int status, String body, Optional<String> retryAfter) {

    private static final int MAX_MESSAGE = 300;

    public boolean is(int expected) {
        return status == expected;
    }

    /**
     * Parses the body.
     *
     * @throws StoreUnavailableException if it is not a JSON object
     */
    public JsonObject json() {
        try {
            return JsonObject.read(body);
        } catch (IllegalArgumentException e) {
            throw new StoreUnavailableException("the API server's answer (" + status + ") is no JSON object", e);
        }
    }

    /**
     * Converts a refusal to an exception whose message contains the remedy.
     *
     * @param verb the request's verb, as in a Role
     * @param resource the resource, such as {@code leases.coordination.k8s.io}
     */
    public StoreUnavailableException refusal(String verb, String resource, String namespace) {
        return new StoreUnavailableException(
                switch (status) {
                    case 401 ->
                        "the API server does not know who asks (401): the token or certificate is wrong or has expired";
                    case 403 ->
                        "the account may not \"" + verb + "\" " + resource + " in namespace " + namespace
                                + " (403); its Role needs that verb: " + message();
                    case 404 ->
                        "the API server has no namespace " + namespace + ", or no " + resource + " (404): " + message();
                    case 400, 422 -> "the API server refuses the object (" + status + "): " + message();
                    case 409 -> "the API server could not settle who writes (409): " + message();
                    case 410 -> "the API server has forgotten that resource version (410): " + message();
                    case 429 ->
                        "the API server asks for fewer requests (429)"
                                + retryAfter
                                        .map(seconds -> ", and for " + seconds + " s of none")
                                        .orElse("");
                    default ->
                        status >= 500
                                ? "the API server has a fault of its own (" + status + "): " + message()
                                : "the API server answered \"" + verb + "\" with " + status + ": " + message();
                });
    }

    /** Returns the message in the server's Status object, cut if it is long. */
    public String message() {
        String said;
        try {
            said = JsonObject.read(body).text("message").orElse("");
        } catch (IllegalArgumentException e) {
            said = body.strip();
        }
        said = said.replaceAll("\\s+", " ");
        return said.isEmpty() ? "it does not say why" : said.substring(0, Math.min(MAX_MESSAGE, said.length()));
    }
}
