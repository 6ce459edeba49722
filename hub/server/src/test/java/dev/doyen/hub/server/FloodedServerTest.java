package dev.doyen.hub.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.elector.ElectionView;
import dev.doyen.elector.Elections;
import dev.doyen.elector.audit.AuditLog;
import dev.doyen.elector.http.AddressLimits;
import dev.doyen.elector.http.HttpHandler;
import dev.doyen.elector.http.HttpReply;
import dev.doyen.elector.http.RawSocket;
import dev.doyen.elector.http.TlsSettings;
import dev.doyen.elector.http.TrustedProxies;
import dev.doyen.hub.Hub;
import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.server.claims.Claims;
import dev.doyen.hub.server.claims.StrictClaims;
import dev.doyen.hub.server.websocket.SessionLimits;
import dev.doyen.hub.settings.HubSettings;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the probes of a blocked or faulty server, and the limits of one address. */
@Timeout(120)
final class FloodedServerTest {

    private static final int LOOPS = Runtime.getRuntime().availableProcessors();

    private final CountDownLatch blocked = new CountDownLatch(LOOPS + 1);
    private final CountDownLatch end = new CountDownLatch(1);

    @Test
    void the_probes_answer_while_all_other_event_loops_are_blocked() throws Exception {
        var clients = new ArrayList<RawSocket>();
        try (var server = start(AddressLimits.DEFAULT, blockingPages(), withElections(blockingElections()))) {
            try {
                // The server assigns the connections to its event loops in turn, so each loop has at least one.
                for (int i = 0; i < 2 * LOOPS; i++) {
                    var client = get(server.hubAddress(), "/");
                    client.readResponse();
                    clients.add(client);
                }
                for (RawSocket client : clients) {
                    client.send("GET /block HTTP/1.1\r\nHost: localhost\r\n\r\n");
                }
                clients.add(get(server.electorAddress(), "/"));
                blocked.await();

                for (String probe : List.of("/healthz", "/readyz")) {
                    try (var socket = get(server.probeAddress(), probe)) {
                        assertThat(socket.readResponse()).startsWith("HTTP/1.1 200 ");
                    }
                }
            } finally {
                end.countDown();
            }
        } finally {
            for (RawSocket client : clients) {
                client.close();
            }
        }
    }

    @Test
    void a_hub_whose_store_fails_is_not_ready_but_healthy() throws Exception {
        try (var server = new RunningServer()) {
            server.claims().fail("the disk is full");
            server.claims().fail("the store has not answered");
            try (var ready = get(server.probeAddress(), "/readyz");
                    var healthy = get(server.probeAddress(), "/healthz")) {
                assertThat(ready.readResponse())
                        .startsWith("HTTP/1.1 503 ")
                        .endsWith("\r\n\r\nthe disk is full\nthe store has not answered");
                assertThat(healthy.readResponse()).startsWith("HTTP/1.1 200 ");
            }
        }
    }

    @Test
    void an_accepted_web_socket_does_not_count_for_its_address() throws Exception {
        try (var server = new RunningServer(new AddressLimits(1, 1));
                var first = server.connected("");
                var second = server.connected("");
                var request = get(server.hubAddress(), "/none")) {
            assertThat(request.readResponse()).startsWith("HTTP/1.1 404 ");
            try (var rejected = get(server.hubAddress(), "/none")) {
                assertThat(rejected.readAll()).startsWith("HTTP/1.1 429 ");
            }
        }
    }

    @Test
    void the_streams_of_one_address_are_limited() throws Exception {
        try (var server = new RunningServer(new AddressLimits(5, 1));
                var stream = get(server.electorAddress(), "/sse")) {
            stream.readThrough("\n\n");
            try (var rejected = get(server.electorAddress(), "/sse")) {
                assertThat(rejected.readResponse())
                        .startsWith("HTTP/1.1 429 ")
                        .contains("application/problem+json", "There are already 1 event streams from 127.0.0.1;");
            }
        }
    }

    private static HubServer start(AddressLimits perAddress, HubPages pages, Claims claims) throws Exception {
        var settings = new ServerSettings(
                InetAddress.getLoopbackAddress(),
                0,
                0,
                0,
                RunningServer.CHANNEL,
                5_000,
                10_000,
                Duration.ZERO,
                perAddress,
                SessionLimits.DEFAULT,
                TrustedProxies.NONE,
                Optional.empty(),
                TlsSettings.NONE,
                AuditLog.NONE);
        var hub = new Hub(HubSettings.defaults(), HubKeys.of(List.of(RunningServer.KEY)));
        return HubServer.start(settings, hub, RunningServer.ADMIN_KEY, pages, claims);
    }

    private static RawSocket get(InetSocketAddress port, String path) throws IOException {
        return new RawSocket(port).send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }

    private HubPages blockingPages() {
        return new HubPages() {
            @Override
            public HttpHandler site(String elector, EventLoop streams) {
                return (ctx, request) -> {
                    if (request.uri().equals("/block")) {
                        block();
                    }
                    HttpReply.sentence(200, "served").send(ctx, request);
                };
            }

            @Override
            public void close() {}
        };
    }

    private Elections blockingElections() {
        return new Elections() {
            @Override
            public Optional<ElectionView> find(String name) {
                if (Thread.currentThread().getName().startsWith("doyen-elector")) {
                    block();
                }
                return Optional.of(new ElectionView(name, Optional.empty(), 0, Instant.EPOCH, Instant.EPOCH));
            }

            @Override
            public List<ElectionView> list() {
                return List.of();
            }
        };
    }

    private void block() {
        blocked.countDown();
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns claims that return these elections and pass all other calls to {@link StrictClaims}. */
    private static Claims withElections(Elections elections) {
        var claims = new StrictClaims();
        return (Claims) Proxy.newProxyInstance(
                Claims.class.getClassLoader(),
                new Class<?>[] {Claims.class},
                (proxy, method, arguments) ->
                        method.getName().equals("elections") ? elections : method.invoke(claims, arguments));
    }
}
