package dev.doyen.store.support;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A parsed URL of a store on the network.
 *
 * <p>The form is {@code scheme://[user[:password]@]host[:port][,host[:port]...][/path][?name=value[&name=value...]]}.
 *
 * <p>Errors: {@link IllegalArgumentException}. The URL can contain a password. So the message of the exception names at
 * most the scheme, the parameters and the values of durations, and {@link #toString} returns only {@link #place}.
 *
 * @param path the path, without a slash at its end; empty if the URL has no path
 */
public record StoreUrl(
        String scheme, Optional<Login> login, List<Host> hosts, String path, Map<String, String> parameters) {

    /** The environment variable that contains the password if the URL contains none. */
    public static final String PASSWORD_VARIABLE = "DOYEN_STORE_PASSWORD";

    private static final int MAX_HOSTS = 20;
    private static final int MAX_PATH = 255;

    /** The user and the password; the user can be empty. */
    public record Login(String user, String password) {
        @Override
        public String toString() {
            return "Login[...]";
        }
    }

    /** One server. The name of an IPv6 server contains the brackets of the address. */
    public record Host(String name, int port) {
        @Override
        public String toString() {
            return name + ":" + port;
        }
    }

    public StoreUrl {
        hosts = List.copyOf(hosts);
        parameters = Map.copyOf(parameters);
    }

    /**
     * Parses a URL.
     *
     * @param known the permitted parameters
     * @throws IllegalArgumentException if the URL is malformed or contains an unknown parameter
     */
    public static StoreUrl parse(String url, int defaultPort, Set<String> known) {
        return parse(url, defaultPort, known, System.getenv());
    }

    static StoreUrl parse(String url, int defaultPort, Set<String> known, Map<String, String> environment) {
        int colon = url.indexOf("://");
        if (colon < 1) {
            throw new IllegalArgumentException("a store on the network is named by scheme://host:port/path");
        }
        String scheme = url.substring(0, colon);
        String rest = url.substring(colon + 3);
        int question = rest.indexOf('?');
        Map<String, String> parameters =
                question < 0 ? Map.of() : parameters(scheme, rest.substring(question + 1), new TreeSet<>(known));
        String place = question < 0 ? rest : rest.substring(0, question);
        // A password can contain an unescaped slash. The hosts and the path never contain an @, so the last @ ends the
        // password.
        int at = place.lastIndexOf('@');
        String hostsAndPath = place.substring(at + 1);
        int slash = hostsAndPath.indexOf('/');
        String path = slash < 0 ? "" : hostsAndPath.substring(slash).replaceAll("/+$", "");
        if (path.length() > MAX_PATH) {
            throw new IllegalArgumentException(
                    scheme + ": the path has " + path.length() + " characters; at most " + MAX_PATH + " are allowed");
        }
        return new StoreUrl(
                scheme,
                at < 0 ? Optional.empty() : Optional.of(login(scheme, place.substring(0, at), environment)),
                hosts(scheme, slash < 0 ? hostsAndPath : hostsAndPath.substring(0, slash), defaultPort),
                path,
                parameters);
    }

    /** Returns the decoded value of a parameter. The result is empty if the URL does not contain the parameter. */
    public Optional<String> parameter(String name) {
        return Optional.ofNullable(parameters.get(name));
    }

    /**
     * Returns a parameter in milliseconds, checked against its bounds.
     *
     * @param otherwise the result if the URL does not contain the parameter
     * @throws IllegalArgumentException if the value is not a number within the bounds
     */
    public Duration millis(String name, Duration otherwise, Duration least, Duration most) {
        String value = parameters.get(name);
        if (value == null) {
            return otherwise;
        }
        if (!value.matches("[0-9]{1,9}")
                || Long.parseLong(value) < least.toMillis()
                || Long.parseLong(value) > most.toMillis()) {
            throw new IllegalArgumentException(scheme + ": " + name + " is a number of milliseconds from "
                    + least.toMillis() + " to " + most.toMillis() + ", but it is \"" + value + "\"");
        }
        return Duration.ofMillis(Long.parseLong(value));
    }

    /** Returns scheme, hosts and path, without credentials and parameters. */
    public String place() {
        var text = new StringBuilder(scheme).append("://");
        for (int i = 0; i < hosts.size(); i++) {
            text.append(i == 0 ? "" : ",").append(hosts.get(i));
        }
        return text.append(path).toString();
    }

    @Override
    public String toString() {
        return place();
    }

    private static Map<String, String> parameters(String scheme, String query, Set<String> known) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = equals < 0 ? pair : pair.substring(0, equals);
            if (!known.contains(name)) {
                // If the text is not a valid name, it is possibly part of a password that contains a question mark. So
                // the message omits the text.
                String rejected =
                        name.matches("[a-z-]{1,40}") ? "the parameter \"" + name + "\"" : "one of the parameters";
                throw new IllegalArgumentException(
                        scheme + ": does not accept " + rejected + "; it accepts " + String.join(", ", known));
            }
            parameters.put(name, equals < 0 ? "" : decoded(scheme, pair.substring(equals + 1)));
        }
        return parameters;
    }

    private static Login login(String scheme, String text, Map<String, String> environment) {
        int colon = text.indexOf(':');
        if (colon >= 0) {
            return new Login(decoded(scheme, text.substring(0, colon)), decoded(scheme, text.substring(colon + 1)));
        }
        String password = environment.get(PASSWORD_VARIABLE);
        if (password == null) {
            throw new IllegalArgumentException(scheme + ": the URL names a user and no password; set the environment's "
                    + PASSWORD_VARIABLE + ", or write user:password@");
        }
        return new Login(decoded(scheme, text), password);
    }

    private static List<Host> hosts(String scheme, String text, int defaultPort) {
        List<Host> hosts = new ArrayList<>();
        for (String each : text.split(",", -1)) {
            int colon = each.endsWith("]") ? -1 : each.lastIndexOf(':');
            String name = colon < 0 ? each : each.substring(0, colon);
            String port = colon < 0 ? Integer.toString(defaultPort) : each.substring(colon + 1);
            if (name.isEmpty() || !port.matches("[0-9]{1,5}") || Integer.parseInt(port) > 65_535) {
                throw new IllegalArgumentException(
                        scheme + ": needs hosts such as host:" + defaultPort + ", separated by commas");
            }
            hosts.add(new Host(name, Integer.parseInt(port)));
        }
        if (hosts.size() > MAX_HOSTS) {
            throw new IllegalArgumentException(
                    scheme + ": names " + hosts.size() + " hosts; at most " + MAX_HOSTS + " are allowed");
        }
        return hosts;
    }

    private static String decoded(String scheme, String text) {
        try {
            // In these parts of a URL a plus sign is literal and does not encode a space.
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            // The exception has no cause, because the message of the cause can contain a part of a password.
            throw new IllegalArgumentException(scheme + ": a % in the URL is not followed by two hexadecimal digits");
        }
    }
}
