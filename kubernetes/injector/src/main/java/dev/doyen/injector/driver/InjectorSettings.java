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
 * @param kind the kind of the elector's container; if empty, the injector uses the best kind that the server's version
 *     supports
 * @param listen the address of the webhook
 * @param made the settings of certificates that the injector creates; if present, {@code given} is empty
 * @param given the settings of certificates that another program writes into files; if present, {@code made} is empty
 * @param control the settings of the controller; empty if the injector does not run the controller
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
     * The minimum lifetime of a certificate, as a multiple of the check interval.
     *
     * <p>A certificate with a shorter lifetime could expire before the webhook serves the next certificate.
     */
    private static final int MIN_INTERVALS = 6;

    public InjectorSettings {
        if (checkInterval.isNegative() || checkInterval.isZero()) {
            throw new IllegalArgumentException(
                    "check interval is " + checkInterval + "; it must be positive, such as 10s");
        }
        if (made.isPresent() == given.isPresent()) {
            throw new IllegalArgumentException("certificates are either created or given");
        }
        if (made.isPresent() && made.get().life().compareTo(checkInterval.multipliedBy(MIN_INTERVALS)) < 0) {
            throw new IllegalArgumentException(
                    "the certificate's life (" + made.get().life() + ") must be at least " + MIN_INTERVALS
                            + " check intervals (" + checkInterval + " each); make it longer");
        }
    }

    /**
     * The settings of certificates that the injector creates itself.
     *
     * @param hosts the host names under which API servers call the webhook
     * @param life the lifetime of one certificate; the injector creates the next certificate when two thirds of the
     *     lifetime have passed
     */
    public record Made(String namespace, String secret, String configuration, List<String> hosts, Duration life) {

        public Made {
            hosts = List.copyOf(hosts);
        }
    }

    /**
     * The settings of the controller. The elected replica runs the controller.
     *
     * @param clusterRole the ClusterRole to which service accounts are bound
     * @param election the name of the election among the replicas; also the name of the election's Lease in the
     *     injector's namespace
     * @param candidate the candidate id of this replica in that election
     * @param leaderLabels true if the controller labels the pods of leaders. The injector then needs the rights to
     *     patch pods, and to list and watch Leases
     */
    public record Control(String clusterRole, String election, String candidate, boolean leaderLabels) {}

    /** The PEM files of a certificate that another program creates. */
    public record Given(Path certificate, Path key) {}
}
