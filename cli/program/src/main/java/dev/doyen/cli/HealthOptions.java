package dev.doyen.cli;

import dev.doyen.election.HealthCheck;
import dev.doyen.election.HealthCheck.NoneHealthy;
import dev.doyen.sidecar.driver.AppHealth;
import dev.doyen.text.DurationText;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that define the health check of a sidecar's app. */
final class HealthOptions {

    private static final Duration USUAL_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration LEAST_TIMEOUT = Duration.ofMillis(10);
    private static final Pattern HOST_AND_PORT = Pattern.compile("(.+):([0-9]{1,5})");
    private static final int MAX_PORT = 65_535;

    @Option(
            names = "--health-http",
            paramLabel = "URL",
            description = "The app is healthy while it answers a GET with a status from 200 to 399. An https URL"
                    + " accepts any certificate.")
    private @Nullable String healthHttp;

    @Option(
            names = "--health-tcp",
            paramLabel = "HOST:PORT",
            description = "The app is healthy while this port accepts connections.")
    private @Nullable String healthTcp;

    @Option(names = "--health-file", paramLabel = "PATH", description = "The app is healthy while this file exists.")
    private @Nullable Path healthFile;

    @Option(
            names = "--health-exec",
            paramLabel = "COMMAND",
            description = "The app is healthy while this command exits with 0. Blanks separate the arguments, and no"
                    + " shell interprets them.")
    private @Nullable String healthExec;

    @Option(
            names = "--health-every",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Time between two health checks, 10ms to 60m. Default: 1s")
    private Duration healthEvery = Duration.ofSeconds(1);

    @Option(
            names = "--health-timeout",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "A health check that takes longer than this time fails: at least 10ms, at most"
                    + " --health-every. Default: 1s, or --health-every if that is shorter")
    private @Nullable Duration healthTimeout;

    @Option(
            names = "--fall",
            paramLabel = "N",
            description = "The app is unhealthy after this number of failed checks in a row, 1 to 100."
                    + " Default: ${DEFAULT-VALUE}")
    private int fall = 3;

    @Option(
            names = "--rise",
            paramLabel = "N",
            description = "The app is healthy again after this number of passed checks in a row, 1 to 100."
                    + " Default: ${DEFAULT-VALUE}")
    private int rise = 2;

    @Option(
            names = "--if-none-healthy",
            paramLabel = "WHAT",
            description = "What to do while no app is healthy: no_leader (nobody leads), or lead_anyway (an unhealthy"
                    + " candidate leads; not with doyen ring). Default: no_leader")
    private NoneHealthy ifNoneHealthy = NoneHealthy.NO_LEADER;

    /**
     * Returns the health check, or an empty result if no option configures a check.
     *
     * @throws IllegalArgumentException if an option is invalid, or if the options configure more than one check
     */
    Optional<HealthCheck> check() {
        var limit = timeout();
        List<BooleanSupplier> checks = new ArrayList<>();
        if (healthHttp != null) {
            checks.add(AppHealth.http(url(healthHttp), limit));
        }
        if (healthTcp != null) {
            var matcher = HOST_AND_PORT.matcher(healthTcp);
            if (!matcher.matches() || Integer.parseInt(matcher.group(2)) > MAX_PORT) {
                throw new IllegalArgumentException("--health-tcp '" + healthTcp + "' is not HOST:PORT; write it like"
                        + " localhost:8080, with a port from 0 to " + MAX_PORT);
            }
            checks.add(AppHealth.tcp(matcher.group(1), Integer.parseInt(matcher.group(2)), limit));
        }
        if (healthFile != null) {
            checks.add(AppHealth.file(healthFile));
        }
        if (healthExec != null) {
            var command = List.of(healthExec.strip().split("\\s+"));
            if (command.get(0).isEmpty()) {
                throw new IllegalArgumentException("--health-exec is empty; add a command, or leave out --health-exec");
            }
            checks.add(AppHealth.exec(command, limit));
        }
        if (checks.size() > 1) {
            throw new IllegalArgumentException(
                    "--health-http, --health-tcp, --health-file and --health-exec exclude each other; choose one");
        }
        return checks.stream().findFirst().map(each -> new HealthCheck(each, healthEvery, fall, rise, ifNoneHealthy));
    }

    private Duration timeout() {
        if (healthTimeout == null) {
            return healthEvery.compareTo(USUAL_TIMEOUT) < 0 ? healthEvery : USUAL_TIMEOUT;
        }
        if (healthTimeout.compareTo(LEAST_TIMEOUT) < 0 || healthTimeout.compareTo(healthEvery) > 0) {
            throw new IllegalArgumentException("--health-timeout " + DurationText.of(healthTimeout)
                    + " is out of bounds; give 10ms to --health-every, which is " + DurationText.of(healthEvery));
        }
        return healthTimeout;
    }

    private static URI url(String text) {
        try {
            var url = new URI(text);
            if (("http".equals(url.getScheme()) || "https".equals(url.getScheme()))
                    && url.getHost() != null
                    && url.getPort() <= MAX_PORT) {
                return url;
            }
        } catch (URISyntaxException e) {
            // The exception below also reports a text that is not a URI.
        }
        throw new IllegalArgumentException("--health-http '" + text
                + "' is not an http or https URL; write it like http://localhost:8080/healthz");
    }
}
