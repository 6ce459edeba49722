package dev.doyen.hub.server;

import dev.doyen.elector.AdminKey;
import dev.doyen.elector.audit.AuditLog;
import dev.doyen.elector.http.AddressLimits;
import dev.doyen.elector.http.CannotListenException;
import dev.doyen.elector.http.RawWebSocket;
import dev.doyen.elector.http.TlsSettings;
import dev.doyen.elector.http.TrustedProxies;
import dev.doyen.hub.Hub;
import dev.doyen.hub.Sandbox;
import dev.doyen.hub.auth.ClientIdentity;
import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.server.claims.Claims;
import dev.doyen.hub.server.claims.StrictClaims;
import dev.doyen.hub.server.issuers.IssuerKeySources;
import dev.doyen.hub.server.websocket.FakeHub;
import dev.doyen.hub.server.websocket.HubTap;
import dev.doyen.hub.server.websocket.SessionLimits;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.wire.ErrorInfo;
import dev.doyen.hub.wire.FrameCodec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A server on free ports with a fake hub. */
public final class RunningServer implements AutoCloseable {

    public static final String KEY = "app.id:the-secret";
    public static final String CHANNEL = "counter";

    /** The limits of one address. All clients of the tests have the same address. */
    private static final AddressLimits MANY = new AddressLimits(5_000, 5_000);

    /** The admin key of all servers of this class. */
    public static final AdminKey ADMIN_KEY = AdminKey.of("the-admin-key-of-the-tests");

    /** The value of the Authorization header that contains the admin key. */
    public static final String ADMIN = "Bearer " + ADMIN_KEY.text();

    private final FakeHub hub = new FakeHub();
    private final StrictClaims claims = StrictClaims.withElection(CHANNEL);
    private final List<String> refusals = new CopyOnWriteArrayList<>();
    private final HubServer server;

    public RunningServer() throws CannotListenException {
        this(SessionLimits.DEFAULT);
    }

    public RunningServer(SessionLimits limits) throws CannotListenException {
        this(limits, Duration.ZERO);
    }

    RunningServer(AddressLimits perAddress) throws CannotListenException {
        this(SessionLimits.DEFAULT, Duration.ZERO, perAddress);
    }

    public RunningServer(SessionLimits limits, Duration drain) throws CannotListenException {
        this(limits, drain, MANY);
    }

    private RunningServer(SessionLimits limits, Duration drain, AddressLimits perAddress) throws CannotListenException {
        var codec = new FrameCodec(limits.maxFrameBytes());
        var loop = hub.loop(codec, claims);
        server = HubServer.start(
                settings(InetAddress.getLoopbackAddress(), limits, drain, perAddress),
                loop,
                codec,
                ADMIN_KEY,
                HubPages.CLIENT_ONLY,
                claims);
        loop.tapInto(new HubTap() {
            @Override
            public void rejected(ClientIdentity client, String address, @Nullable String channel, ErrorInfo error) {
                String where = channel == null ? "" : " " + channel;
                refusals.add(client.clientId().orElse("") + where + " " + error.code() + " " + error.message());
            }
        });
    }

    /** Starts a server on free ports with a real hub and one key. */
    public static HubServer withHub(HubSettings rules, Claims claims) throws CannotListenException {
        return withHub(InetAddress.getLoopbackAddress(), rules, HubKeys.of(List.of(KEY)), claims);
    }

    /** Starts a server on free ports with a real hub that stores its data in a directory. */
    static HubServer withData(Path data) throws CannotListenException {
        return HubServer.start(
                settings(SessionLimits.DEFAULT).withData(data),
                new Hub(HubSettings.defaults(), HubKeys.of(List.of(KEY))),
                ADMIN_KEY,
                HubPages.CLIENT_ONLY,
                StrictClaims.withElection(CHANNEL));
    }

    /** Starts a server on free ports with a real hub and these keys. */
    public static HubServer withHub(InetAddress bind, HubSettings rules, HubKeys keys, Claims claims)
            throws CannotListenException {
        return HubServer.start(
                settings(bind, SessionLimits.DEFAULT, Duration.ZERO, MANY),
                new Hub(rules, keys),
                ADMIN_KEY.or(new KeyedAdmins(keys, rules)),
                HubPages.CLIENT_ONLY,
                claims);
    }

    /** Starts a server on free ports with a real hub that trusts token issuers. */
    public static HubServer withIssuers(HubSettings rules, HubKeys keys, IssuerKeySources issuers, Claims claims)
            throws CannotListenException {
        var hub = new Hub(rules, keys);
        issuers.trustedBy(hub);
        var server = HubServer.start(
                settings(InetAddress.getLoopbackAddress(), SessionLimits.DEFAULT, Duration.ZERO, MANY),
                hub,
                ADMIN_KEY,
                HubPages.CLIENT_ONLY,
                claims);
        server.reloadIssuerKeys(issuers);
        return server;
    }

    /** Starts a server on free ports with a sandbox, one key and TLS. */
    public static HubServer withTls(TlsSettings tls, Claims claims) throws CannotListenException {
        var settings = settings(
                InetAddress.getLoopbackAddress(), SessionLimits.DEFAULT, Duration.ZERO, MANY, tls, AuditLog.NONE);
        var hub = new Hub(HubSettings.defaults(), HubKeys.of(List.of(KEY)), Sandbox.ON);
        return HubServer.start(settings, hub, ADMIN_KEY, HubPages.CLIENT_ONLY, claims);
    }

    public static ServerSettings settings(SessionLimits limits) {
        return settings(limits, Duration.ZERO);
    }

    public static ServerSettings settings(SessionLimits limits, Duration drain) {
        return settings(InetAddress.getLoopbackAddress(), limits, drain, MANY);
    }

    static ServerSettings settings(AuditLog audit) {
        return settings(
                InetAddress.getLoopbackAddress(), SessionLimits.DEFAULT, Duration.ZERO, MANY, TlsSettings.NONE, audit);
    }

    private static ServerSettings settings(
            InetAddress bind, SessionLimits limits, Duration drain, AddressLimits perAddress) {
        return settings(bind, limits, drain, perAddress, TlsSettings.NONE, AuditLog.NONE);
    }

    private static ServerSettings settings(
            InetAddress bind,
            SessionLimits limits,
            Duration drain,
            AddressLimits perAddress,
            TlsSettings tls,
            AuditLog audit) {
        return new ServerSettings(
                bind,
                0,
                0,
                0,
                CHANNEL,
                5_000,
                10_000,
                drain,
                perAddress,
                limits,
                TrustedProxies.NONE,
                Optional.empty(),
                tls,
                audit);
    }

    /** Returns the rejections that were sent, each as {@code clientId channel code message}; some have no channel. */
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
