package dev.doyen.injector.driver;

import dev.doyen.injector.SidecarKind;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The settings of the injector.
 *
 * @param image the elector's image
 * @param kind the kind of the elector's container; if empty, the best kind that the server's version supports
 * @param listen the address of the webhook
 * @param made set if the injector makes its certificates; then {@code given} is empty
 * @param given set if the certificates are in files; then {@code made} is empty
 * @param control the settings of the controller, if it runs
 * @param checkInterval the period of the certificate check, and the delay after a failed attempt of the controller
 */
public record InjectorSettings(
        ClusterAccess access,
        String image,
        Optional<SidecarKind> kind,
        InetSocketAddress listen,
        Optional<Made> made,
        Optional<Given> given,
        Optional<Control> control,
        Duration checkInterval) {

    public static final Duration DEFAULT_CHECK_INTERVAL = Duration.ofSeconds(10);
    public static final Duration DEFAULT_LIFE = Duration.ofDays(90);

    /**
     * The least lifetime of a certificate, in periods.
     *
     * <p>A shorter one could expire before its successor is served.
     */
    private static final int MIN_INTERVALS = 6;

    public InjectorSettings {
        if (checkInterval.isNegative() || checkInterval.isZero()) {
            throw new IllegalArgumentException(
                    "check interval is " + checkInterval + "; it must be positive, such as 10s");
        }
        if (made.isPresent() == given.isPresent()) {
            throw new IllegalArgumentException("certificates are either made or given");
        }
        if (made.isPresent() && made.get().life().compareTo(checkInterval.multipliedBy(MIN_INTERVALS)) < 0) {
            throw new IllegalArgumentException(
                    "the certificate's life (" + made.get().life() + ") must be at least " + MIN_INTERVALS
                            + " check intervals (" + checkInterval + " each); make it longer");
        }
    }

    /**
     * The settings of certificates that the injector makes itself.
     *
     * @param hosts the host names under which API servers call the webhook
     * @param life the lifetime of one certificate; the next one is made when two thirds of it are over
     */
    public record Made(String namespace, String secret, String configuration, List<String> hosts, Duration life) {

        public Made {
            hosts = List.copyOf(hosts);
        }
    }

    /**
     * The settings of the controller, of which one runs at a time.
     *
     * @param clusterRole the ClusterRole to which service accounts are bound
     * @param election the election of the controller among the replicas; also the name of its Lease in our namespace
     * @param candidate our candidate id in that election
     */
    public record Control(String clusterRole, String election, String candidate) {}

    /** The PEM files of a certificate that another program makes. */
    public record Given(Path certificate, Path key) {}
}
