package dev.doyen.injector.driver;

import dev.doyen.injector.SidecarKind;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How the injector runs.
 *
 * @param image of the elector
 * @param kind of container; empty: what the server's version can do
 * @param listen where the webhook listens
 * @param made set if the injector makes its certificates; then {@code given} is not
 * @param control what the controller needs, if it runs
 * @param beat from one look at the certificates to the next, and at most from a failed attempt of the controller to the next
 */
public record InjectorSettings(
        ClusterAccess access,
        String image,
        Optional<SidecarKind> kind,
        InetSocketAddress listen,
        Optional<Made> made,
        Optional<Given> given,
        Optional<Control> control,
        Duration beat) {

    public static final Duration DEFAULT_BEAT = Duration.ofSeconds(10);
    public static final Duration DEFAULT_LIFE = Duration.ofDays(90);

    /** A certificate must outlive many beats, or it ends while its successor waits to be shown. */
    private static final int LEAST_BEATS = 6;

    public InjectorSettings {
        if (beat.isNegative() || beat.isZero()) {
            throw new IllegalArgumentException("beat is " + beat + "; it must be longer than nothing, such as 10s");
        }
        if (made.isPresent() == given.isPresent()) {
            throw new IllegalArgumentException("certificates are either made or given");
        }
        if (made.isPresent() && made.get().life().compareTo(beat.multipliedBy(LEAST_BEATS)) < 0) {
            throw new IllegalArgumentException(
                    "the certificate's life (" + made.get().life() + ") must be at least " + LEAST_BEATS + " beats ("
                            + beat + " each); make it longer");
        }
    }

    /**
     * Certificates of our own.
     *
     * @param hosts the names by which API servers call the webhook
     * @param life of one certificate; the next is made when two thirds of it are over
     */
    public record Made(String namespace, String secret, String configuration, List<String> hosts, Duration life) {

        public Made {
            hosts = List.copyOf(hosts);
        }
    }

    /**
     * The controller, of which one works at a time.
     *
     * @param clusterRole what service accounts are bound to
     * @param election who of the replicas is the controller; the name of a Lease in our namespace
     * @param candidate who we are in it
     */
    public record Control(String clusterRole, String election, String candidate) {}

    /** Certificates that somebody else makes; PEM files. */
    public record Given(Path certificate, Path key) {}
}
