package dev.doyen.sidecar.driver;

import dev.doyen.election.HealthCheck;
import dev.doyen.elector.Elector;
import dev.doyen.elector.ElectorSettings;
import dev.doyen.elector.Probes;
import dev.doyen.elector.audit.AuditLog;
import dev.doyen.elector.http.AddressLimits;
import dev.doyen.elector.http.CannotListenException;
import dev.doyen.elector.http.CannotListenException.Port;
import dev.doyen.elector.http.ConnectionLimit;
import dev.doyen.elector.http.ElectorHandler;
import dev.doyen.elector.http.HttpHandler;
import dev.doyen.elector.http.ListenAddress;
import dev.doyen.elector.http.Ports;
import dev.doyen.elector.http.ProbeHandler;
import dev.doyen.elector.http.TlsSettings;
import dev.doyen.sidecar.PrometheusText;
import dev.doyen.sidecar.SidecarSettings;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.StoreRefusedException;
import dev.doyen.store.StoreUnavailableException;
import io.netty.channel.EventLoopGroup;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A running sidecar. The sidecar serves HTTP at once, and campaigns as soon as its store can be opened.
 *
 * <p>The program continues to run while the store is unavailable.
 *
 * <p>Threads: one each for the elector, the probes and the machines, and the threads of the election. Call
 * {@link #start} and {@link #await} on the same thread. {@link #leave} may be called from any thread.
 */
public final class Sidecar implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.doyen");
    private static final int MAX_CONNECTIONS = 2_000;
    private static final Duration RETRY = Duration.ofSeconds(2);

    static {
        // Set the properties before Netty reads them. A value that the user has set does not change. A sidecar writes a
        // few hundred bytes at a time. Netty's pools and its flight recorder events would use more memory than
        // everything else in the sidecar.
        defaultTo("io.netty.allocator.type", "unpooled");
        defaultTo("io.netty.jfr.enabled", "false");
    }

    private final Ports ports;
    private final TlsSettings tls;
    private final AuditLog audit;
    private final EventLoopGroup sockets = Ports.sockets(1, "doyen-elector");
    /** A separate thread for the probes and the metrics, so that the elector does not delay them. */
    private final EventLoopGroup probeSockets = Ports.sockets(1, "doyen-probes");

    private final CountDownLatch closing = new CountDownLatch(1);
    private final CompletableFuture<Void> failed = new CompletableFuture<>();
    private final SidecarCandidate sidecarCandidate;
    private final ElectorHandler elector;
    private final InetSocketAddress electorAddress;
    private final InetSocketAddress probeAddress;

    /**
     * The addresses to listen on.
     *
     * @param metrics the address for {@code /metrics}; if empty, only the port of the probes serves {@code /metrics}
     * @param tls the TLS of the ports; the sidecar closes it
     * @param audit the log of the admin commands; the sidecar closes it
     */
    public record Addresses(
            ListenAddress elector,
            ListenAddress probes,
            Optional<ListenAddress> metrics,
            TlsSettings tls,
            AuditLog audit) {}

    /**
     * Opens the ports, and opens the store in the background with retries.
     *
     * @throws CannotListenException if a port cannot be opened; in this case no port stays open
     */
    public static Sidecar start(
            SidecarSettings settings,
            Addresses addresses,
            String storeUrl,
            Optional<HealthCheck> health,
            AppSigns signs)
            throws CannotListenException {
        var sidecar = new Sidecar(settings, addresses, signs);
        var opening = new Thread(() -> sidecar.open(settings, storeUrl, health), "doyen-open");
        opening.setDaemon(true);
        opening.start();
        return sidecar;
    }

    private Sidecar(SidecarSettings settings, Addresses addresses, AppSigns signs) throws CannotListenException {
        tls = addresses.tls();
        audit = addresses.audit();
        ports = new Ports(tls);
        var series = Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);
        var reportedLeader = new CompletableFuture<ElectorHandler>();
        sidecarCandidate = new SidecarCandidate(
                settings,
                signs,
                view -> reportedLeader.join().electionChanged(view),
                () -> reportedLeader.join().written());
        elector = new ElectorHandler(
                new Elector(
                        sidecarCandidate.known(),
                        ElectorSettings.of(settings.election(), series, settings.adminAccess())),
                sockets.next(),
                new SidecarAdminCommands(sidecarCandidate),
                addresses.audit());
        reportedLeader.complete(elector);
        var untilStarted = Probes.untilStarted(sidecarCandidate::isStarted, settings.election());
        var probes = new ProbeHandler(new Probes(
                sidecarCandidate.known(),
                settings.election(),
                untilStarted,
                // An app that its sidecar has let start can read the leader, or knows that nobody leads. A candidate of
                // a newer generation must also have asked an older leader to hand over (rule M8).
                () -> Stream.concat(untilStarted.get().stream(), sidecarCandidate.readinessObstacles().stream())
                        .toList(),
                Optional.of(() -> metrics(settings))));
        try {
            electorAddress = ports.open(
                    Port.ELECTOR,
                    addresses.elector(),
                    sockets,
                    elector,
                    new ConnectionLimit(MAX_CONNECTIONS, AddressLimits.DEFAULT));
            probeAddress = listenForProbes(Port.PROBES, addresses.probes(), probes);
            if (addresses.metrics().isPresent()) {
                listenForProbes(Port.METRICS, addresses.metrics().get(), probes);
            }
            ports.openRedirect(electorAddress.getPort(), sockets);
        } catch (CannotListenException | RuntimeException e) {
            close();
            throw e;
        }
        LOG.log(
                Level.INFO,
                "\"" + settings.id() + "\" campaigns in the election \"" + settings.election()
                        + "\"; the elector API is on port " + electorAddress.getPort()
                        + ", probes are answered on port "
                        + probeAddress.getPort());
    }

    public InetSocketAddress electorAddress() {
        return electorAddress;
    }

    public InetSocketAddress probeAddress() {
        return probeAddress;
    }

    /** Starts the shutdown. A second call ends the wait for the app. Threads: any. */
    public void leave() {
        sidecarCandidate.leave();
    }

    /**
     * Waits until the shutdown is complete, or until the candidate has failed to start.
     *
     * @throws IllegalArgumentException if the store's URL or the settings are invalid
     * @throws CompletionException if the candidate cannot start for another reason
     */
    public void await() throws InterruptedException {
        try {
            CompletableFuture.anyOf(sidecarCandidate.ended(), failed).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof IllegalArgumentException refused) {
                throw refused;
            }
            throw e;
        }
    }

    /** Closes the ports. The method does not release the lease, so the caller must call {@link #leave} before. */
    @Override
    public void close() {
        closing.countDown();
        ports.close();
        tls.close();
        audit.close();
        Ports.end(sockets, probeSockets);
        sidecarCandidate.close();
    }

    private static void defaultTo(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    /**
     * An opened store.
     *
     * @param nonExpiring the non-expiring leases, which replace {@code store} if present
     */
    private record Found(LeaseStore store, Optional<LeaseStore.NonExpiringLeases> nonExpiring) {}

    private void open(SidecarSettings settings, String storeUrl, Optional<HealthCheck> health) {
        try {
            openStore(storeUrl, settings).ifPresent(found -> {
                if (found.nonExpiring().isPresent()) {
                    sidecarCandidate.openNonExpiring(found.nonExpiring().get(), health.isPresent());
                } else {
                    sidecarCandidate.open(found.store(), health);
                }
            });
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            // Without a candidate, this program has no purpose. The program exits, and its supervisor restarts it.
            failed.completeExceptionally(e);
        }
    }

    /** Opens the store. Returns empty if this sidecar was closed before the store was open. */
    private Optional<Found> openStore(String storeUrl, SidecarSettings settings) throws InterruptedException {
        var election = settings.election();
        var logged = Optional.<Class<?>>empty();
        Duration wait;
        do {
            long begun = System.nanoTime();
            try {
                return Optional.of(find(LeaseStore.open(storeUrl), election));
            } catch (StoreUnavailableException e) {
                if (logged.filter(e.getClass()::equals).isEmpty()) {
                    LOG.log(
                            Level.WARNING,
                            "election=" + election + " the store cannot be opened yet: " + e.getMessage());
                }
                logged = Optional.of(e.getClass());
                sidecarCandidate.cannotOpen(e, System.nanoTime() - begun);
                wait = waitAfter(e, settings.ttl());
            }
        } while (!closing.await(wait.toMillis(), TimeUnit.MILLISECONDS));
        return Optional.empty();
    }

    /** Returns the time before the next attempt. After a missing right it is at least one ttl, as for a candidate. */
    static Duration waitAfter(StoreUnavailableException fault, Duration ttl) {
        return fault instanceof StoreRefusedException && ttl.compareTo(RETRY) > 0 ? ttl : RETRY;
    }

    private static Found find(LeaseStore store, String election) {
        try {
            return new Found(store, store.nonExpiringOnly(election));
        } catch (StoreUnavailableException e) {
            store.close();
            throw e;
        }
    }

    private String metrics(SidecarSettings settings) {
        return PrometheusText.of(
                settings.election(),
                settings.id(),
                sidecarCandidate.known().view(),
                sidecarCandidate.counters().tally(),
                sidecarCandidate.counters().storeTally(),
                elector.openStreams());
    }

    private InetSocketAddress listenForProbes(Port which, ListenAddress where, HttpHandler probes)
            throws CannotListenException {
        return ports.open(which, where, probeSockets, probes, ConnectionLimit.ofProbes());
    }
}
