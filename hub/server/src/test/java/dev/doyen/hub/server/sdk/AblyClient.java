package dev.doyen.hub.server.sdk;

import dev.doyen.hub.server.RunningServer;
import io.ably.lib.realtime.AblyRealtime;
import io.ably.lib.realtime.Channel;
import io.ably.lib.realtime.CompletionListener;
import io.ably.lib.realtime.ConnectionState;
import io.ably.lib.realtime.ConnectionStateListener.ConnectionStateChange;
import io.ably.lib.types.AblyException;
import io.ably.lib.types.ChannelOptions;
import io.ably.lib.types.ClientOptions;
import io.ably.lib.types.ErrorInfo;
import io.ably.lib.types.Message;
import io.ably.lib.types.Param;
import io.ably.lib.types.PresenceMessage;
import io.ably.lib.util.Log;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** An ably-java client whose calls wait at most {@value #WAIT_SECONDS} seconds for their answers. */
final class AblyClient implements AutoCloseable {

    private static final long WAIT_SECONDS = 60;

    private final AblyRealtime realtime;
    private final BlockingQueue<ConnectionStateChange> changes = new LinkedBlockingQueue<>();

    /** The format of frames. */
    enum Wire {
        MSGPACK,
        JSON
    }

    /** An operation of the SDK that reports its result to a listener. */
    private interface Operation {
        void start(CompletionListener answer) throws AblyException;
    }

    AblyClient(InetSocketAddress hub, Wire wire, String clientId) throws AblyException {
        this(hub, wire, clientId, RunningServer.KEY);
    }

    AblyClient(InetSocketAddress hub, Wire wire, String clientId, String key) throws AblyException {
        this(hub, wire, plain(new ClientOptions(key)), clientId);
    }

    /** Returns a client that connects with TLS. The client trusts the authorities of Java's default trust store. */
    static AblyClient withTls(InetSocketAddress hub, Wire wire, String clientId) throws AblyException {
        return new AblyClient(hub, wire, new ClientOptions(RunningServer.KEY), clientId);
    }

    /** Returns a client that authenticates with a token. The token contains the client id. */
    static AblyClient withToken(InetSocketAddress hub, Wire wire, String token) throws AblyException {
        var options = new ClientOptions();
        options.token = token;
        return new AblyClient(hub, wire, plain(options), null);
    }

    /** Returns a client that gets its tokens from a URL. */
    static AblyClient withTokenServer(InetSocketAddress hub, Wire wire, String url, String cookie)
            throws AblyException {
        var options = new ClientOptions();
        options.authUrl = url;
        options.authHeaders = new Param[] {new Param("Cookie", cookie)};
        return new AblyClient(hub, wire, plain(options), null);
    }

    private static ClientOptions plain(ClientOptions options) {
        options.tls = false;
        return options;
    }

    private AblyClient(InetSocketAddress hub, Wire wire, ClientOptions options, @Nullable String clientId)
            throws AblyException {
        options.clientId = clientId;
        options.restHost = "localhost";
        options.realtimeHost = "localhost";
        options.port = hub.getPort();
        options.tlsPort = hub.getPort();
        options.useBinaryProtocol = wire == Wire.MSGPACK;
        options.logLevel = Log.NONE;
        options.autoConnect = false;
        realtime = new AblyRealtime(options);
        realtime.connection.on(changes::add);
        realtime.connect();
    }

    AblyClient connected() throws Exception {
        awaitState(ConnectionState.connected);
        return this;
    }

    /** Skips all changes until the next change to this state, and returns that change. */
    ConnectionStateChange awaitState(ConnectionState state) throws Exception {
        var change = next(changes);
        while (change.current != state) {
            change = next(changes);
        }
        return change;
    }

    /** Returns the changes that {@link #awaitState} has not returned or skipped. */
    List<ConnectionStateChange> changes() {
        return List.copyOf(changes);
    }

    ConnectionState state() {
        return realtime.connection.state;
    }

    /** Sends a ping and waits for the answer of the hub. */
    void ping() throws Exception {
        accepted(realtime.connection::ping);
    }

    Room attached(String channel) throws Exception {
        return new Room(realtime.channels.get(channel));
    }

    Room attached(String channel, Map<String, String> params) throws Exception {
        var options = new ChannelOptions();
        options.params = params;
        return new Room(realtime.channels.get(channel, options));
    }

    @Override
    public void close() {
        realtime.close();
    }

    private static <T> T next(BlockingQueue<T> queue) throws Exception {
        var next = queue.poll(WAIT_SECONDS, TimeUnit.SECONDS);
        if (next == null) {
            throw new TimeoutException("nothing was received for " + WAIT_SECONDS + " s");
        }
        return next;
    }

    /** Returns the error of the hub. The result is empty if the hub accepted the operation. */
    private static List<ErrorInfo> answerTo(Operation operation) throws Exception {
        var answer = new CompletableFuture<List<ErrorInfo>>();
        operation.start(new CompletionListener() {
            @Override
            public void onSuccess() {
                answer.complete(List.of());
            }

            @Override
            public void onError(ErrorInfo reason) {
                answer.complete(List.of(reason));
            }
        });
        return answer.get(WAIT_SECONDS, TimeUnit.SECONDS);
    }

    private static void accepted(Operation operation) throws Exception {
        for (var refusal : answerTo(operation)) {
            throw AblyException.fromErrorInfo(refusal);
        }
    }

    /** An attached channel with all messages and events that the client has received on it. */
    static final class Room {
        private final Channel channel;
        private final BlockingQueue<Message> messages = new LinkedBlockingQueue<>();
        private final BlockingQueue<PresenceMessage> members = new LinkedBlockingQueue<>();

        private Room(Channel channel) throws Exception {
            this.channel = channel;
            channel.subscribe(messages::add);
            channel.presence.subscribe(members::add);
            accepted(channel::attach);
        }

        void publish(String name, Object data) throws Exception {
            accepted(answer -> channel.publish(name, data, answer));
        }

        Message nextMessage() throws Exception {
            return next(messages);
        }

        void enter(Object data) throws Exception {
            accepted(answer -> channel.presence.enter(data, answer));
        }

        void update(Object data) throws Exception {
            accepted(answer -> channel.presence.update(data, answer));
        }

        ErrorInfo updateIsRefused(Object data) throws Exception {
            var refusals = answerTo(answer -> channel.presence.update(data, answer));
            if (refusals.isEmpty()) {
                throw new AssertionError("the update to " + data + " was accepted");
            }
            return refusals.get(0);
        }

        void leave() throws Exception {
            accepted(answer -> channel.presence.leave(answer));
        }

        /** Returns the next presence event in the form {@code action clientId data}. */
        String nextOfMembers() throws Exception {
            return described(next(members));
        }

        /**
         * Waits until the SDK has the whole presence set. Returns the members as sorted texts {@code clientId data}.
         */
        List<String> present() throws Exception {
            return Arrays.stream(channel.presence.get(true))
                    .map(member -> member.clientId + " " + member.data)
                    .sorted()
                    .toList();
        }

        private static String described(PresenceMessage member) {
            return member.action + " " + member.clientId + " " + member.data;
        }
    }
}
