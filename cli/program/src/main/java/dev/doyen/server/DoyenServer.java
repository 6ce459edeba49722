package dev.doyen.server;

import dev.doyen.elector.Admins;
import dev.doyen.elector.Elector;
import dev.doyen.elector.ElectorSettings;
import dev.doyen.elector.Orders;
import dev.doyen.elector.Probes;
import dev.doyen.hub.Hub;
import dev.doyen.hub.wire.FrameCodec;
import dev.doyen.server.CannotListenException.Port;
import dev.doyen.server.claims.Claims;
import dev.doyen.server.console.ConsoleFeed;
import dev.doyen.server.console.HubConsole;
import dev.doyen.server.console.HubScene;
import dev.doyen.server.http.Audience;
import dev.doyen.server.http.ClientSite;
import dev.doyen.server.http.ConnectionLimit;
import dev.doyen.server.http.ElectorSite;
import dev.doyen.server.http.HttpSite;
import dev.doyen.server.http.PageConfig;
import dev.doyen.server.http.PageSite;
import dev.doyen.server.http.ProbeSite;
import dev.doyen.server.nodes.NodeLink;
import dev.doyen.server.picture.driver.PictureSite;
import dev.doyen.server.quorumdemo.driver.QuorumDemo;
import dev.doyen.server.quorumdemo.driver.QuorumSite;
import dev.doyen.server.run.driver.SearchPath;
import dev.doyen.server.websocket.HubLoop;
import dev.doyen.server.websocket.HubSite;
import io.netty.channel.EventLoopGroup;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * A running server with three ports: hub (optionally with a page), elector and probes.
 *
 * <p>Threads: one for the hub, one for the elector with its probes, and one per core for the hub's sockets. The same
 * thread must start and close the server.
 */
public final class DoyenServer implements AutoCloseable {

    private final EventLoopGroup hubSockets;
    private final EventLoopGroup electorSockets;
    private final Ports hubPort = new Ports();
    /** Closed after the hub's port, so that probes can still report that the server is shutting down. */
    private final Ports otherPorts = new Ports();

    private final Duration drain;
    private final ConnectionLimit hubConnections;
    private final ConnectionLimit electorConnections = new ConnectionLimit(ServerSettings.MAX_ELECTOR_CONNECTIONS);
    private final ConnectionLimit probeConnections = new ConnectionLimit(ServerSettings.MAX_ELECTOR_CONNECTIONS);
    private final HubLoop hub;
    private final Claims claims;
    private final Optional<NodeLink> nodes;
    private final Optional<QuorumDemo> quorum;
    private final ElectorSite elector;
    private final InetSocketAddress hubAddress;
    private final InetSocketAddress electorAddress;
    private final InetSocketAddress probeAddress;
    private volatile boolean closed;

    /**
     * Opens the ports and serves.
     *
     * @param admins decides who may send admin commands for the hub's elections from other machines; called on several
     *     threads
     * @param pageKey the hub's key, which the demo page receives; empty for no page
     * @throws CannotListenException if a port cannot be opened; then no port stays open, and {@code claims} is closed
     */
    public static DoyenServer start(
            ServerSettings settings, Hub hub, Admins admins, Optional<String> pageKey, Claims claims)
            throws CannotListenException {
        return start(settings, hub, admins, pageKey, claims, Optional.empty());
    }

    /**
     * Starts a server whose hub is one of several nodes.
     *
     * @param nodes the link of this hub to the other nodes; empty for a single hub
     */
    public static DoyenServer start(
            ServerSettings settings,
            Hub hub,
            Admins admins,
            Optional<String> pageKey,
            Claims claims,
            Optional<NodeLink> nodes)
            throws CannotListenException {
        var codec = new FrameCodec(settings.sessions().maxFrameBytes());
        return new DoyenServer(settings, new HubLoop(hub, codec, claims), codec, pageKey, claims, admins, nodes);
    }

    /** Starts a server for a hub that already has its thread. */
    public static DoyenServer start(
            ServerSettings settings, HubLoop hub, FrameCodec codec, Optional<String> pageKey, Claims claims)
            throws CannotListenException {
        return new DoyenServer(settings, hub, codec, pageKey, claims, Admins.NOBODY, Optional.empty());
    }

    private DoyenServer(
            ServerSettings settings,
            HubLoop hub,
            FrameCodec codec,
            Optional<String> pageKey,
            Claims claims,
            Admins admins,
            Optional<NodeLink> nodes)
            throws CannotListenException {
        this.hub = hub;
        this.claims = claims;
        this.nodes = nodes;
        nodes.ifPresent(link -> hub.connect(link::carry));
        drain = settings.drain();
        boolean hasQuorum = pageKey.isPresent() && settings.audience() == Audience.LOOPBACK;
        quorum = hasQuorum ? Optional.of(new QuorumDemo(SearchPath.ofThisProcess())) : Optional.empty();
        hubConnections = new ConnectionLimit(settings.maxHubConnections());
        var elections = claims.elections();
        hubSockets = Ports.sockets(Runtime.getRuntime().availableProcessors(), "doyen-sockets");
        electorSockets = Ports.sockets(1, "doyen-elector");
        try {
            var series = Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);
            elector = new ElectorSite(
                    new Elector(elections, ElectorSettings.of(settings.channel(), series, Orders.ADMINS), admins),
                    electorSockets.next(),
                    new HubOrders(hub, claims, Duration.ofMillis(settings.claimTtlMillis())));
            electorAddress =
                    listen(Port.ELECTOR, settings, settings.electorPort(), electorSockets, elector, electorConnections);
            var probes = new ProbeSite(
                    new Probes(elections, settings.channel(), () -> true, () -> closed, Optional.empty()));
            probeAddress =
                    listen(Port.PROBES, settings, settings.probePort(), electorSockets, probes, probeConnections);
            HttpSite page = withQuorum(page(settings, pageKey));
            var scene = new HubScene(hub, claims);
            var console = new HubConsole(
                    hub,
                    new ConsoleFeed<>(scene, hubSockets.next()),
                    settings.audience(),
                    admins,
                    elector::order,
                    page);
            var site = new HubSite(hub, codec, settings.sessions(), console);
            claims.start(hub, view -> {
                elector.electionChanged(view);
                scene.electionChanged(view);
            });
            nodes.ifPresent(link -> link.start(hub));
            hubAddress = listen(Port.HUB, settings, settings.port(), hubSockets, site, hubConnections);
        } catch (CannotListenException | RuntimeException e) {
            close();
            throw e;
        }
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

    /** The demonstration at {@code /quorum/}; empty without a page, or if other machines can reach this server. */
    public Optional<QuorumDemo> quorum() {
        return quorum;
    }

    /** How many connections clients have open, on all ports. */
    int openConnections() {
        return hubConnections.openConnections()
                + electorConnections.openConnections()
                + probeConnections.openConnections();
    }

    /** How many event streams are open. */
    int openStreams() {
        return elector.openStreams();
    }

    /**
     * Stops accepting connections, disconnects all clients, releases the claims and closes all ports.
     *
     * <p>Clients are disconnected over the configured drain time, leaders last (rule C20). Further calls have no
     * effect.
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        hubPort.close();
        quorum.ifPresent(QuorumDemo::close);
        if (!drain.isZero()) {
            hub.drain(drain);
        }
        hub.stop();
        otherPorts.close();
        claims.close();
        nodes.ifPresent(NodeLink::close);
        Ports.end(hubSockets, electorSockets);
    }

    /** Ends the drain of a running {@link #close} early. Threads: any. */
    public void hurry() {
        hub.hurry();
    }

    private HttpSite page(ServerSettings settings, Optional<String> key) {
        var classes = DoyenServer.class.getClassLoader();
        if (key.isEmpty()) {
            return new ClientSite(classes);
        }
        var elector = Urls.root(settings.bind(), electorAddress.getPort());
        var config = new PageConfig(key.get(), settings.channel(), elector, settings.claimTtlMillis());
        return new PictureSite(new PageSite(classes, config, settings.audience()));
    }

    private HttpSite withQuorum(HttpSite page) {
        return quorum.<HttpSite>map(demo -> new QuorumSite(
                        demo, new ConsoleFeed<>(demo, hubSockets.next(), QuorumSite.BETWEEN_EVENTS), page))
                .orElseGet(() -> QuorumSite.absent(page));
    }

    private InetSocketAddress listen(
            Port which, ServerSettings settings, int port, EventLoopGroup sockets, HttpSite site, ConnectionLimit limit)
            throws CannotListenException {
        return (which == Port.HUB ? hubPort : otherPorts)
                .open(which, new InetSocketAddress(settings.bind(), port), sockets, site, limit);
    }
}
