package dev.doyen.hub.server;

import dev.doyen.elector.http.CannotListenException;
import dev.doyen.elector.http.RawWebSocket;
import dev.doyen.hub.Hub;
import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.server.claims.Claims;
import dev.doyen.hub.server.claims.StrictClaims;
import dev.doyen.hub.server.websocket.FakeHub;
import dev.doyen.hub.server.websocket.HubTap;
import dev.doyen.hub.server.websocket.SessionLimits;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.wire.FrameCodec;
import dev.doyen.hub.wire.ProtocolMessage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A server on free ports with a fake hub. */
public final class RunningServer implements AutoCloseable {

    public static final String KEY = "app.id:the-secret";
    public static final String CHANNEL = "counter";

    private final FakeHub hub = new FakeHub();
    private final StrictClaims claims = StrictClaims.knowing(CHANNEL);
    private final List<String> refusals = new CopyOnWriteArrayList<>();
    private final HubServer server;

    public RunningServer() throws CannotListenException {
        this(SessionLimits.DEFAULT);
    }

    public RunningServer(SessionLimits limits) throws CannotListenException {
        this(limits, Duration.ZERO);
    }

    public RunningServer(SessionLimits limits, Duration drain) throws CannotListenException {
        var codec = new FrameCodec(limits.maxFrameBytes());
        var loop = hub.loop(codec, claims);
        server = HubServer.start(settings(limits, drain), loop, codec, HubPages.CLIENT_ONLY, claims);
        loop.tapInto(new HubTap() {
            @Override
            public void sentError(@Nullable String clientId, ProtocolMessage frame) {
                var error = frame.error();
                if (error != null) {
                    refusals.add(clientId + " " + error.code() + " " + error.message());
                }
            }
        });
    }

    /** Starts a server on free ports with a real hub, one key and a page. */
    public static HubServer withHub(HubSettings rules, Claims claims) throws CannotListenException {
        return withHub(InetAddress.getLoopbackAddress(), rules, HubKeys.of(List.of(KEY)), claims);
    }

    /** Starts a server on free ports with a real hub and these keys. */
    public static HubServer withHub(InetAddress bind, HubSettings rules, HubKeys keys, Claims claims)
            throws CannotListenException {
        return HubServer.start(
                settings(bind, SessionLimits.DEFAULT, Duration.ZERO),
                new Hub(rules, keys),
                new KeyedAdmins(keys, rules),
                HubPages.CLIENT_ONLY,
                claims);
    }

    public static ServerSettings settings(SessionLimits limits) {
        return settings(limits, Duration.ZERO);
    }

    public static ServerSettings settings(SessionLimits limits, Duration drain) {
        return settings(InetAddress.getLoopbackAddress(), limits, drain);
    }

    private static ServerSettings settings(InetAddress bind, SessionLimits limits, Duration drain) {
        return new ServerSettings(bind, 0, 0, 0, CHANNEL, 5_000, 10_000, drain, limits);
    }

    /** The rejections that the hub or the server has sent, as the console receives them. */
    public List<String> refusals() {
        return List.copyOf(refusals);
    }

    public FakeHub hub() {
        return hub;
    }

    public StrictClaims claims() {
        return claims;
    }

    public HubServer server() {
        return server;
    }

    public InetSocketAddress hubAddress() {
        return server.hubAddress();
    }

    public InetSocketAddress electorAddress() {
        return server.electorAddress();
    }

    public InetSocketAddress probeAddress() {
        return server.probeAddress();
    }

    /** Opens a WebSocket and reads its CONNECTED frame. */
    public RawWebSocket connected(String query) throws IOException {
        var socket = new RawWebSocket(hubAddress(), query);
        socket.read();
        return socket;
    }

    @Override
    public void close() {
        hub.goOn();
        server.close();
    }
}
