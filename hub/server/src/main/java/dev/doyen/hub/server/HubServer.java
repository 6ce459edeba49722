package dev.doyen.hub.server;

import dev.doyen.elector.AdminAccess;
import dev.doyen.elector.Admins;
import dev.doyen.elector.Elector;
import dev.doyen.elector.ElectorSettings;
import dev.doyen.elector.Probes;
import dev.doyen.elector.audit.AuditLog;
import dev.doyen.elector.console.ConsoleFeed;
import dev.doyen.elector.http.CannotListenException;
import dev.doyen.elector.http.CannotListenException.Port;
import dev.doyen.elector.http.ConnectionLimit;
import dev.doyen.elector.http.ElectorHandler;
import dev.doyen.elector.http.HttpHandler;
import dev.doyen.elector.http.Ports;
import dev.doyen.elector.http.ProbeHandler;
import dev.doyen.elector.http.TlsSettings;
import dev.doyen.elector.http.Urls;
import dev.doyen.hub.Hub;
import dev.doyen.hub.server.audit.HubAudit;
import dev.doyen.hub.server.claims.Claims;
import dev.doyen.hub.server.console.HubConsole;
import dev.doyen.hub.server.console.HubConsoleContent;
import dev.doyen.hub.server.issuers.IssuerKeySources;
import dev.doyen.hub.server.metrics.HubMetrics;
import dev.doyen.hub.server.nodes.NodeLink;
import dev.doyen.hub.server.revocations.RevocationFile;
import dev.doyen.hub.server.settings.SettingsReload;
import dev.doyen.hub.server.websocket.HubHandler;
import dev.doyen.hub.server.websocket.HubLoop;
import dev.doyen.hub.wire.FrameCodec;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A running hub with one port each for clients, the elector API and the probes.
 *
 * <p>The port for clients also serves the pages. With TLS, the server can open a fourth port that redirects browsers to
 * HTTPS. The server has one thread for the hub, one for the elector, one for the probes, and one per core for the hub's
 * sockets. The same thread must start and close the server.
 */
public final class HubServer implements AutoCloseable {

    private final EventLoopGroup hubSockets;
    private final EventLoopGroup electorSockets;
    /** The thread that serves only the probes, so that no other port delays them. */
    private final EventLoopGroup probeSockets;

    private final Ports hubPort;
    /**
     * The ports of the elector and the probes. These ports close after the hub's port. Probes can therefore still
     * report that the server is shutting down.
     */
    private final Ports otherPorts;

    private final TlsSettings tls;
    private final AuditLog audit;

    private final Duration drain;
    private final ConnectionLimit hubConnections;
    private final ConnectionLimit electorConnections;
    private final ConnectionLimit probeConnections = ConnectionLimit.ofProbes();
    private final HubLoop hub;
    private final Claims claims;
    private final Optional<NodeLink> nodes;
    private final HubPages pages;
    private final ElectorHandler elector;
    private final HubHandler site;
    private final InetSocketAddress hubAddress;
    private final InetSocketAddress electorAddress;
    private final InetSocketAddress probeAddress;
    private final Optional<InetSocketAddress> redirectAddress;
    private volatile @Nullable SettingsReload reload;
    private volatile @Nullable IssuerKeySources issuerKeys;
    private volatile Runnable stopReports = () -> {};
    private volatile boolean closed;

    /**
     * Opens the ports and starts to serve requests.
     *
     * @param admins the rule that decides which keys may send admin commands for the hub's elections; called on several
     *     threads
     * @param pages the pages that the hub's port serves in addition to the hub and the console; the server closes them
     * @throws CannotListenException if a port cannot be opened; in this case no port stays open, and {@code claims} and
     *     {@code pages} are closed
     */
    public static HubServer start(ServerSettings settings, Hub hub, Admins admins, HubPages pages, Claims claims)
            throws CannotListenException {
        return start(settings, hub, admins, pages, claims, Optional.empty());
    }

    /**
     * Starts a server whose hub is one of several nodes.
     *
     * @param nodes the link from this hub to the other nodes; empty for a single hub
     * @throws UncheckedIOException if the file of revocations cannot be read; in this case {@code claims} and
     *     {@code pages} are closed
     */
    public static HubServer start(
            ServerSettings settings, Hub hub, Admins admins, HubPages pages, Claims claims, Optional<NodeLink> nodes)
            throws CannotListenException {
        var codec = new FrameCodec(settings.sessions().maxFrameBytes());
        var loop = new HubLoop(hub, codec, claims);
        if (settings.data().isPresent() && nodes.isEmpty()) {
            try {
                var revocations = new RevocationFile(settings.data().get());
                hub.restore(revocations.stored());
                loop.storeRevocationsIn(revocations);
            } catch (IOException | IllegalArgumentException e) {
                pages.close();
                claims.close();
                throw new UncheckedIOException(
                        String.valueOf(e.getMessage()),
                        e instanceof IOException failure ? failure : new IOException(e));
            }
        }
        return new HubServer(settings, loop, codec, pages, claims, admins, nodes);
    }

    /** Starts a server for a hub whose thread already exists. */
    public static HubServer start(
            ServerSettings settings, HubLoop hub, FrameCodec codec, Admins admins, HubPages pages, Claims claims)
            throws CannotListenException {
        return new HubServer(settings, hub, codec, pages, claims, admins, Optional.empty());
    }

    private HubServer(
            ServerSettings settings,
            HubLoop hub,
            FrameCodec codec,
            HubPages pages,
            Claims claims,
            Admins admins,
            Optional<NodeLink> nodes)
            throws CannotListenException {
        this.hub = hub;
        this.claims = claims;
        this.nodes = nodes;
        nodes.ifPresent(link -> hub.connect(link::carry));
        drain = settings.drain();
        tls = settings.tls();
        audit = settings.audit();
        hubPort = new Ports(settings.proxies(), tls);
        otherPorts = new Ports(tls);
        this.pages = pages;
        hubConnections = new ConnectionLimit(settings.maxHubConnections(), settings.perAddress());
        electorConnections = new ConnectionLimit(ServerSettings.MAX_ELECTOR_CONNECTIONS, settings.perAddress());
        var elections = claims.elections();
        hubSockets = Ports.sockets(Runtime.getRuntime().availableProcessors(), "doyen-sockets");
        electorSockets = Ports.sockets(1, "doyen-elector");
        probeSockets = Ports.sockets(1, "doyen-probes");
        try {
            var series = Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);
            elector = new ElectorHandler(
                    new Elector(elections, ElectorSettings.of(settings.channel(), series, AdminAccess.key(admins))),
                    electorSockets.next(),
                    new HubAdminCommands(hub, claims, Duration.ofMillis(settings.claimTtlMillis())),
                    audit);
            hub.tapInto(new HubAudit(audit));
            electorAddress =
                    listen(Port.ELECTOR, settings, settings.electorPort(), electorSockets, elector, electorConnections);
            var metrics = new HubMetrics(
                    hub,
                    claims,
                    Map.of(
                            Port.HUB, hubConnections,
                            Port.ELECTOR, electorConnections,
                            Port.PROBES, probeConnections));
            metrics.countStreams(Port.ELECTOR, elector::openStreams);
            var scene = new HubConsoleContent(hub, claims);
            var feed = new ConsoleFeed<>(scene, hubSockets.next());
            metrics.countStreams(Port.HUB, feed::viewers);
            stopReports = metrics.report();
            var probes = new ProbeHandler(new Probes(
                    elections, settings.channel(), this::fault, this::obstacles, Optional.of(metrics::text)));
            probeAddress = listen(Port.PROBES, settings, settings.probePort(), probeSockets, probes, probeConnections);
            var electorUrl = Urls.root(tls.scheme(Port.ELECTOR), settings.bind(), electorAddress.getPort());
            HttpHandler page = pages.site(electorUrl, hubSockets.next());
            var console = new HubConsole(hub, feed, admins, elector::carryOut, page);
            site = new HubHandler(hub, codec, settings.sessions(), console);
            claims.start(hub, view -> {
                elector.electionChanged(view);
                scene.electionChanged(view);
            });
            nodes.ifPresent(link -> link.start(hub));
            hubAddress = listen(Port.HUB, settings, settings.port(), hubSockets, site, hubConnections);
            redirectAddress = hubPort.openRedirect(hubAddress.getPort(), hubSockets);
        } catch (CannotListenException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private Optional<String> fault() {
        return hub.isResponsive()
                ? Optional.empty()
                : Optional.of("the hub has processed no input for 10 s; restart it if this continues");
    }

    /** Returns the reasons why a load balancer should send clients to another node. */
    private List<String> obstacles() {
        var obstacles = new ArrayList<String>();
        if (closed) {
            obstacles.add(Probes.SHUTTING_DOWN);
        }
        fault().ifPresent(obstacles::add);
        obstacles.addAll(claims.faults());
        nodes.flatMap(NodeLink::fault).ifPresent(obstacles::add);
        return obstacles;
    }

    public InetSocketAddress hubAddress() {
        return hubAddress;
    }

    public InetSocketAddress electorAddress() {
        return electorAddress;
    }

    public InetSocketAddress probeAddress() {
        return probeAddress;
    }

    /** Returns the address of the port that redirects to HTTPS; empty if there is none. */
    public Optional<InetSocketAddress> redirectAddress() {
        return redirectAddress;
    }

    /** Returns the number of open connections of the hub, the elector and the probes. */
    int openConnections() {
        return hubConnections.openConnections()
                + electorConnections.openConnections()
                + probeConnections.openConnections();
    }

    /** Returns the number of open event streams of the elector API. */
    int openStreams() {
        return elector.openStreams();
    }

    /**
     * Stops accepting connections, disconnects all clients, releases the claims and closes all ports.
     *
     * <p>The server disconnects clients over the configured drain time, and disconnects leaders last (rule C20).
     * Further calls have no effect.
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        SettingsReload file = reload;
        if (file != null) {
            file.close();
        }
        IssuerKeySources sources = issuerKeys;
        if (sources != null) {
            sources.close();
        }
        stopReports.run();
        hubPort.close();
        pages.close();
        if (!drain.isZero()) {
            hub.drain(drain);
        }
        hub.stop();
        otherPorts.close();
        tls.close();
        audit.close();
        claims.close();
        nodes.ifPresent(NodeLink::close);
        Ports.end(hubSockets, electorSockets, probeSockets);
    }

    /**
     * Opens the hub's port on another address for pages of other machines.
     *
     * <p>On this address the hub accepts only WebSockets with tokens. It serves no REST API, no console and no admin
     * commands there. {@link #close} also closes this port.
     *
     * @param pages the handler of the requests for pages on this address
     * @throws CannotListenException if the port cannot be opened; the server continues without it
     */
    public void share(InetAddress address, HttpHandler pages) throws CannotListenException {
        var where = new InetSocketAddress(address, hubAddress.getPort());
        hubPort.open(Port.HUB, where, hubSockets, site.forTokens(pages), hubConnections);
    }

    /**
     * Replaces the keys of the hub and of its admins when the settings file changes. The server closes {@code file}.
     *
     * @param admins the admins of the hub's keys
     */
    public void reloadKeys(SettingsReload file, KeyedAdmins admins) {
        reload = file;
        file.start(keys -> {
            admins.replaceKeys(keys);
            hub.keysChanged(keys);
        });
    }

    /** Reads the keys of trusted token issuers again when they change. The server closes {@code sources}. */
    public void reloadIssuerKeys(IssuerKeySources sources) {
        issuerKeys = sources;
        sources.start(hub);
    }

    /** Returns true if this server has a settings file that it reloads. */
    public boolean canReload() {
        return reload != null;
    }

    /** Checks soon whether the settings file has changed. Any thread may call this method. */
    public void reload() {
        SettingsReload file = reload;
        if (file != null) {
            file.checkNow();
        }
    }

    /** Ends the drain of a running {@link #close} early. Any thread may call this method. */
    public void hurry() {
        hub.hurry();
    }

    private InetSocketAddress listen(
            Port which,
            ServerSettings settings,
            int port,
            EventLoopGroup sockets,
            HttpHandler site,
            ConnectionLimit limit)
            throws CannotListenException {
        return (which == Port.HUB ? hubPort : otherPorts)
                .open(which, new InetSocketAddress(settings.bind(), port), sockets, site, limit);
    }
}
