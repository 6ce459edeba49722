package dev.doyen.hub.server;

import dev.doyen.elector.AdminAccess;
import dev.doyen.elector.Admins;
import dev.doyen.elector.Elector;
import dev.doyen.elector.ElectorSettings;
import dev.doyen.elector.Probes;
import dev.doyen.elector.console.ConsoleFeed;
import dev.doyen.elector.http.CannotListenException;
import dev.doyen.elector.http.CannotListenException.Port;
import dev.doyen.elector.http.ConnectionLimit;
import dev.doyen.elector.http.ElectorHandler;
import dev.doyen.elector.http.HttpHandler;
import dev.doyen.elector.http.Ports;
import dev.doyen.elector.http.ProbeHandler;
import dev.doyen.elector.http.Urls;
import dev.doyen.hub.Hub;
import dev.doyen.hub.server.claims.Claims;
import dev.doyen.hub.server.console.HubConsole;
import dev.doyen.hub.server.console.HubConsoleContent;
import dev.doyen.hub.server.nodes.NodeLink;
import dev.doyen.hub.server.websocket.HubHandler;
import dev.doyen.hub.server.websocket.HubLoop;
import dev.doyen.hub.wire.FrameCodec;
import io.netty.channel.EventLoopGroup;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * A running hub with three ports: the hub with its pages, the elector API and the probes.
 *
 * <p>Threads: one for the hub, one for the elector with its probes, and one per core for the hub's sockets. The same
 * thread must start and close the server.
 */
public final class HubServer implements AutoCloseable {

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
    private final HubPages pages;
    private final ElectorHandler elector;
    private final InetSocketAddress hubAddress;
    private final InetSocketAddress electorAddress;
    private final InetSocketAddress probeAddress;
    private volatile boolean closed;

    /**
     * Opens the ports and serves.
     *
     * @param admins decides who may send admin commands for the hub's elections from other machines; called on several
     *     threads
     * @param pages what the hub's port serves beside the hub and the console; the server closes it
     * @throws CannotListenException if a port cannot be opened; then no port stays open, and {@code claims} and {@code
     *     pages} are closed
     */
    public static HubServer start(ServerSettings settings, Hub hub, Admins admins, HubPages pages, Claims claims)
            throws CannotListenException {
        return start(settings, hub, admins, pages, claims, Optional.empty());
    }

    /**
     * Starts a server whose hub is one of several nodes.
     *
     * @param nodes the link of this hub to the other nodes; empty for a single hub
     */
    public static HubServer start(
            ServerSettings settings, Hub hub, Admins admins, HubPages pages, Claims claims, Optional<NodeLink> nodes)
            throws CannotListenException {
        var codec = new FrameCodec(settings.sessions().maxFrameBytes());
        return new HubServer(settings, new HubLoop(hub, codec, claims), codec, pages, claims, admins, nodes);
    }

    /** Starts a server for a hub that already has its thread. */
    public static HubServer start(ServerSettings settings, HubLoop hub, FrameCodec codec, HubPages pages, Claims claims)
            throws CannotListenException {
        return new HubServer(settings, hub, codec, pages, claims, Admins.NOBODY, Optional.empty());
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
        this.pages = pages;
        hubConnections = new ConnectionLimit(settings.maxHubConnections());
        var elections = claims.elections();
        hubSockets = Ports.sockets(Runtime.getRuntime().availableProcessors(), "doyen-sockets");
        electorSockets = Ports.sockets(1, "doyen-elector");
        try {
            var series = Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);
            elector = new ElectorHandler(
                    new Elector(elections, ElectorSettings.of(settings.channel(), series, AdminAccess.ADMINS), admins),
                    electorSockets.next(),
                    new HubAdminCommands(hub, claims, Duration.ofMillis(settings.claimTtlMillis())));
            electorAddress =
                    listen(Port.ELECTOR, settings, settings.electorPort(), electorSockets, elector, electorConnections);
            var probes = new ProbeHandler(
                    new Probes(elections, settings.channel(), () -> true, () -> closed, Optional.empty()));
            probeAddress =
                    listen(Port.PROBES, settings, settings.probePort(), electorSockets, probes, probeConnections);
            HttpHandler page = pages.site(Urls.root(settings.bind(), electorAddress.getPort()), hubSockets.next());
            var scene = new HubConsoleContent(hub, claims);
            var console = new HubConsole(
                    hub,
                    new ConsoleFeed<>(scene, hubSockets.next()),
                    settings.audience(),
                    admins,
                    elector::carryOut,
                    page);
            var site = new HubHandler(hub, codec, settings.sessions(), console);
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
        pages.close();
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
