package dev.doyen.stores.kubernetes.rest;

import dev.doyen.store.StoreRefusedException;
import dev.doyen.store.StoreUnavailableException;
import java.util.Optional;

/**
 * The API server's answer to one request.
 *
 * @param retryAfter the text of the Retry-After header: the time in seconds before the next request; empty if the
 *     server sent no such header
 */
public record Answer(int status, String body, Optional<String> retryAfter) {

    private static final int MAX_MESSAGE = 300;

    public boolean is(int expected) {
        return status == expected;
    }

    /**
     * Parses the body.
     *
     * @throws StoreUnavailableException if the body is not a JSON object
     */
    public JsonObject json() {
        try {
            return JsonObject.read(body);
        } catch (IllegalArgumentException e) {
            throw new StoreUnavailableException("the API server's answer (" + status + ") is not a JSON object", e);
        }
    }

    /**
     * Converts a refusal to an exception whose message contains the reason. If the account lacks a right, the message
     * names the missing verb.
     *
     * <p>If the account lacks a right, or its credentials are wrong, the exception is a {@link StoreRefusedException}.
     * The server also answers 403 for other reasons, such as an exceeded quota, a namespace that is being deleted or an
     * admission webhook. These reasons count as temporary.
     *
     * @param verb the request's verb, as in a Role
     * @param resource the resource, such as {@code leases.coordination.k8s.io}
     */
    public StoreUnavailableException refusal(String verb, String resource, String namespace) {
        if (status == 401) {
            return new StoreRefusedException(
                    "the API server does not accept the credentials (401)",
                    "the token or certificate is wrong or has expired: give this process a valid one",
                    null);
        }
        if (status == 403 && namesVerb(verb)) {
            return new StoreRefusedException(
                    "the account may not \"" + verb + "\" " + resource + " in namespace " + namespace + " (403): "
                            + message(),
                    "let its Role grant that verb",
                    null);
        }
        return new StoreUnavailableException(
                switch (status) {
                    case 403 -> "the API server forbids \"" + verb + "\" " + resource + " (403): " + message();
                    case 404 ->
                        "the API server has no namespace " + namespace + ", or no " + resource + " (404): " + message();
                    case 400, 422 -> "the API server rejects the object (" + status + "): " + message();
                    case 409 -> "the API server reports a conflict with another write (409): " + message();
                    case 410 -> "the API server no longer has that resource version (410): " + message();
                    case 429 ->
                        "the API server asks for fewer requests (429)"
                                + retryAfter
                                        .map(seconds -> ", and for " + seconds + " s of none")
                                        .orElse("");
                    default ->
                        status >= 500
                                ? "the API server reports an internal error (" + status + "): " + message()
                                : "the API server answered \"" + verb + "\" with " + status + ": " + message();
                });
    }

    /**
     * Returns the message in the server's Status object, or the body if the body is not JSON.
     *
     * <p>The method shortens a long text. If the text is empty, the method returns "it gives no reason".
     */
    public String message() {
        String text = text();
        return text.isEmpty() ? "it gives no reason" : text.substring(0, Math.min(MAX_MESSAGE, text.length()));
    }

    /** Returns true if the text states that the account cannot use this verb, as every authorizer's answer does. */
    private boolean namesVerb(String verb) {
        return text().contains(" cannot " + verb + " resource ");
    }

    private String text() {
        String text;
        try {
            text = JsonObject.read(body).text("message").orElse("");
        } catch (IllegalArgumentException e) {
            text = body.strip();
        }
        return text.replaceAll("\\s+", " ");
    }
}
