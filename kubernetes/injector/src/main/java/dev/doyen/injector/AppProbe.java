package dev.doyen.injector;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.injector.HealthOptions.Setting;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A probe of the application's container, as a health check of the elector.
 *
 * <p>Source: {@code v1.Probe} of the Kubernetes API. The elector runs in the same pod, so it connects to localhost
 * where the kubelet connects to the address of the pod.
 *
 * @param what the name of the probe for messages, such as {@code the livenessProbe of container app}
 * @param check the check, as a setting and its value; empty if the elector cannot check the application by this probe
 * @param port the port of the probe; empty if it has none, or names a port that does not exist
 * @param obstacle the reason why the check differs from the probe, as a clause whose subject is the probe; empty if
 *     both are the same
 */
record AppProbe(
        String what,
        JsonNode probe,
        Optional<Map.Entry<Setting, String>> check,
        OptionalInt port,
        Optional<String> obstacle) {

    private static final String LOCAL = "localhost";
    private static final int MAX_SECONDS = 3600;
    private static final int MAX_COUNT = 100;

    /** Returns the probe of this kind, such as {@code livenessProbe}; empty if the container has none. */
    static Optional<AppProbe> of(AppContainer app, String kind) {
        var probe = app.container().path(kind);
        if (!probe.isObject()) {
            return Optional.empty();
        }
        var what = "the " + kind + " of container " + app.name();
        var none = new AppProbe(what, probe, Optional.empty(), OptionalInt.empty(), Optional.empty());
        if (probe.has("httpGet")) {
            return Optional.of(none.http(app, probe.get("httpGet")));
        }
        if (probe.has("tcpSocket")) {
            return Optional.of(none.tcp(app, probe.get("tcpSocket")));
        }
        if (probe.has("grpc")) {
            return Optional.of(none.tcp(app, probe.get("grpc")).with("is a gRPC request"));
        }
        return Optional.of(
                none.with(probe.has("exec") ? "runs a command in that container" : "has an unknown kind of check"));
    }

    private AppProbe http(AppContainer app, JsonNode get) {
        var connection = tcp(app, get);
        if (connection.check().isEmpty()) {
            return connection;
        }
        if (!get.path("httpHeaders").isEmpty()) {
            return connection.with("sends httpHeaders");
        }
        var path = get.path("path").asText();
        var absolute = path.startsWith("/") ? path : "/" + path;
        if (!UrlSyntax.PATH.matcher(absolute).matches()) {
            return connection.with(
                    "has the path \"" + PodAnnotations.shortened(path) + "\", which is not valid in a URL");
        }
        var scheme = get.path("scheme").asText("HTTP").toLowerCase(Locale.ROOT);
        var address = connection.check().get().getValue();
        return connection.with(Setting.HTTP, scheme + "://" + address + absolute, connection.port());
    }

    private AppProbe tcp(AppContainer app, JsonNode action) {
        var number = app.port(action.path("port"));
        if (number.isEmpty()) {
            return with("has the port \"" + action.path("port").asText() + "\", which the container does not declare");
        }
        var named = action.path("host").asText();
        var host = named.isEmpty() ? LOCAL : named;
        if (!UrlSyntax.HOST.matcher(host).matches()) {
            return with("has the host \"" + PodAnnotations.shortened(host)
                    + "\", which is not a host name or an IPv4 address");
        }
        return with(Setting.TCP, host + ":" + number.getAsInt(), number);
    }

    private AppProbe with(Setting setting, String value, OptionalInt number) {
        return new AppProbe(what, probe, Optional.of(Map.entry(setting, value)), number, obstacle);
    }

    private AppProbe with(String reason) {
        return obstacle.isPresent() ? this : new AppProbe(what, probe, check, port, Optional.of(reason));
    }

    /** Returns the port if the probe checks the pod itself, and no other host. */
    OptionalInt localPort() {
        boolean remote = List.of("httpGet", "tcpSocket").stream()
                .anyMatch(action -> !probe.path(action).path("host").asText().isEmpty());
        return remote ? OptionalInt.empty() : port;
    }

    /**
     * Returns the check and the times of the probe as settings of the elector.
     *
     * <p>As in the kubelet, a check that takes longer than the period delays the next check.
     *
     * @param warnings receives a sentence for each value above the maximum of the elector
     */
    Map<Setting, String> settings(List<String> warnings) {
        var settings = new EnumMap<Setting, String>(Setting.class);
        check.ifPresent(each -> settings.put(each.getKey(), each.getValue()));
        int timeout = number("timeoutSeconds", 1, MAX_SECONDS, warnings);
        int period = number("periodSeconds", 10, MAX_SECONDS, warnings);
        settings.put(Setting.EVERY, Math.max(period, timeout) + "s");
        settings.put(Setting.TIMEOUT, timeout + "s");
        settings.put(Setting.FALL, Integer.toString(number("failureThreshold", 3, MAX_COUNT, warnings)));
        settings.put(Setting.RISE, Integer.toString(number("successThreshold", 1, MAX_COUNT, warnings)));
        return settings;
    }

    private int number(String field, int usual, int most, List<String> warnings) {
        int value = probe.path(field).asInt(usual);
        if (value > most) {
            warnings.add(what + " has " + field + " " + value + "; the elector uses its maximum, " + most);
            return most;
        }
        return value < 1 ? usual : value;
    }
}
