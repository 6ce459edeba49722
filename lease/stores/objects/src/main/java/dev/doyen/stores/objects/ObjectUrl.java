package dev.doyen.stores.objects;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The URL of an object store: {@code scheme://container/prefix?name=value&...}.
 *
 * <p>Error messages repeat only those parts of the URL that are plain names. The URL must not contain credentials.
 *
 * @param container the name of the bucket or container
 * @param prefix the beginning of all keys: empty, or with a trailing slash
 * @param parameters the parameters after the question mark, decoded
 */
public record ObjectUrl(String container, String prefix, Map<String, String> parameters) {

    private static final Pattern CONTAINER = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");
    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9_.-]{1,100}(/[A-Za-z0-9_.-]{1,100}){0,4}");
    private static final Pattern NAME = Pattern.compile("[a-z-]{1,40}");
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(2);
    private static final int MAX_TIMEOUT_MILLIS = 60_000;

    public ObjectUrl {
        parameters = Map.copyOf(parameters);
    }

    /**
     * Parses a URL.
     *
     * @param known names of allowed parameters, in addition to {@code endpoint} and {@code timeout-millis}
     * @throws IllegalArgumentException if the URL is invalid
     */
    public static ObjectUrl parse(String scheme, String url, Set<String> known) {
        String shape = scheme + "://CONTAINER/PREFIX";
        if (!url.startsWith(scheme + "://")) {
            throw new IllegalArgumentException("a " + scheme + ": store is named like " + shape);
        }
        String rest = url.substring(scheme.length() + 3);
        int question = rest.indexOf('?');
        String place = question < 0 ? rest : rest.substring(0, question);
        int slash = place.indexOf('/');
        String container = slash < 0 ? place : place.substring(0, slash);
        String prefix = slash < 0 ? "" : place.substring(slash + 1);
        if (!CONTAINER.matcher(container).matches()) {
            throw new IllegalArgumentException(
                    "the container of a " + scheme + ": store has 3 to 63 lower-case letters, "
                            + "digits, dots and hyphens; name it like " + shape + ", and give credentials another way");
        }
        if (prefix.endsWith("/")) {
            prefix = prefix.substring(0, prefix.length() - 1);
        }
        if (!prefix.isEmpty() && (!PREFIX.matcher(prefix).matches() || hasDots(prefix))) {
            throw new IllegalArgumentException(
                    "the prefix of a " + scheme + ": store has 1 to 5 parts between slashes, "
                            + "each of 1 to 100 letters, digits, dots, hyphens and underscores, and not just dots");
        }
        Map<String, String> parameters = question < 0 ? Map.of() : parameters(scheme, rest.substring(question + 1));
        Set<String> allowed = new TreeSet<>(known);
        allowed.add("endpoint");
        allowed.add("timeout-millis");
        for (String name : parameters.keySet()) {
            if (!allowed.contains(name)) {
                throw new IllegalArgumentException("a " + scheme + ": store has no parameter \"" + name
                        + "\"; there is " + String.join(", ", allowed));
            }
        }
        return new ObjectUrl(container, prefix.isEmpty() ? "" : prefix + "/", parameters);
    }

    public Optional<String> parameter(String name) {
        return Optional.ofNullable(parameters.get(name));
    }

    /**
     * Returns the http or https URL in the parameter {@code endpoint}. This URL replaces the service's default server.
     */
    public Optional<URI> endpoint() {
        return parameter("endpoint").map(text -> {
            try {
                URI uri = new URI(text);
                String scheme = String.valueOf(uri.getScheme());
                if ((scheme.equals("http") || scheme.equals("https"))
                        && uri.getHost() != null
                        && uri.getUserInfo() == null) {
                    return uri;
                }
            } catch (URISyntaxException e) {
                // The exception below reports the fault. The message does not repeat the text, because the text can
                // contain a secret.
            }
            throw new IllegalArgumentException(
                    "parameter endpoint is not the URL of a server; give one like http://127.0.0.1:9000");
        });
    }

    /** Returns the timeout of one request. The default, 2 s, fits the default ttl of 10 s. */
    public Duration timeout() {
        return parameter("timeout-millis")
                .map(text -> {
                    if (!text.matches("[0-9]{1,6}")
                            || Integer.parseInt(text) < 1
                            || Integer.parseInt(text) > MAX_TIMEOUT_MILLIS) {
                        throw new IllegalArgumentException("parameter timeout-millis is not a number from 1 to "
                                + MAX_TIMEOUT_MILLIS + "; a fifth of the lease's ttl is right");
                    }
                    return Duration.ofMillis(Integer.parseInt(text));
                })
                .orElse(DEFAULT_TIMEOUT);
    }

    /** Returns the value of a parameter that is {@code true} or {@code false}. The default is false. */
    public boolean flag(String name) {
        String value = parameter(name).orElse("false");
        if (!value.equals("true") && !value.equals("false")) {
            throw new IllegalArgumentException("parameter " + name + " is neither true nor false");
        }
        return value.equals("true");
    }

    private static boolean hasDots(String prefix) {
        for (String part : prefix.split("/", -1)) {
            if (part.matches("\\.+")) {
                return true;
            }
        }
        return false;
    }

    private static Map<String, String> parameters(String scheme, String query) {
        Map<String, String> parameters = new HashMap<>();
        for (String pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = equals < 0 ? pair : pair.substring(0, equals);
            if (!NAME.matcher(name).matches() || equals < 0) {
                throw new IllegalArgumentException("the parameters of a " + scheme + ": store are pairs such as "
                        + "timeout-millis=2000, joined by &");
            }
            try {
                String value = URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8);
                if (parameters.put(name, value) != null) {
                    throw new IllegalArgumentException("parameter " + name + " is given twice");
                }
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("parameter " + name + " cannot be taken: it is given twice, or has "
                        + "a % without two hexadecimal digits");
            }
        }
        return parameters;
    }
}
