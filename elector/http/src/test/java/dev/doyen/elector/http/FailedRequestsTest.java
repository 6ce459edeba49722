package dev.doyen.elector.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.elector.ElectionView;
import dev.doyen.elector.Elections;
import dev.doyen.elector.Elector;
import dev.doyen.elector.ElectorRequest;
import dev.doyen.elector.ElectorSettings;
import dev.doyen.testkit.LogLines;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests requests that fail because of an internal fault. */
final class FailedRequestsTest {

    private final EventLoopGroup sockets = Ports.sockets(1, "failed-requests");
    private final ElectorHandler handler =
            new ElectorHandler(new Elector(new FailingElections(), ElectorSettings.of("e", "s")), sockets.next());

    @AfterEach
    void close() {
        Ports.end(sockets);
    }

    @ParameterizedTest
    @CsvSource({"/sse", "/isLeader?id=pod-1", "/v1/elections/e", "/v1/elections/e/events", "/v1/elections"})
    void a_client_of_any_other_resource_than_root_is_asked_to_retry(String target) throws Exception {
        HttpReply reply = reply(target);

        assertThat(reply.status()).isEqualTo(503);
        assertThat(reply.text()).contains("internal fault");
    }

    @Test
    void root_reports_that_no_leader_is_known() throws Exception {
        HttpReply reply = reply("/");

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.text()).startsWith("{\"name\":\"\",");
    }

    @Test
    void each_kind_of_fault_is_logged_once_for_all_connections() {
        try (var log = new LogLines("an HTTP request failed")) {
            for (int connection = 0; connection < 3; connection++) {
                assertThat(requested((ctx, request) -> {
                                    throw new IllegalStateException("on purpose, for the log");
                                })
                                .isOpen())
                        .isFalse();
            }

            assertThat(log.lines()).hasSize(1);
        }
    }

    @Test
    void an_io_exception_of_a_handler_is_logged() {
        try (var log = new LogLines("an HTTP request failed")) {
            var channel = requested((ctx, request) -> {
                throw FailedRequestsTest.<RuntimeException>unchecked(new IOException("a file of the handler"));
            });

            assertThat(channel.isOpen()).isFalse();
            assertThat(log.lines()).hasSize(1);
        }
    }

    @Test
    void a_late_answer_that_fails_is_logged_and_closes_the_connection() {
        try (var log = new LogLines("an HTTP request failed")) {
            var channel = requested((ctx, request) -> new LateReply(ctx, request).answer((late, original) -> {
                throw new IllegalStateException("on purpose, in a late answer");
            }));

            assertThat(channel.isOpen()).isFalse();
            assertThat(log.lines()).hasSize(1);
        }
    }

    /** Returns a connection on which a client has sent a request to {@code handler}. */
    private static EmbeddedChannel requested(HttpHandler handler) {
        var channel = new EmbeddedChannel(
                new HttpPipeline(handler, new ConnectionLimit(10, AddressLimits.DEFAULT), Optional.empty()));
        channel.writeInbound(Unpooled.copiedBuffer("GET / HTTP/1.1\r\nHost: a\r\n\r\n", StandardCharsets.ISO_8859_1));
        return channel;
    }

    /** Throws a checked exception, as code in another JVM language does without a declaration. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> T unchecked(Throwable fault) throws T {
        throw (T) fault;
    }

    private HttpReply reply(String target) throws Exception {
        return handler.carryOut(ElectorRequest.of("GET", target, Map.of())).get(60, TimeUnit.SECONDS);
    }

    private static final class FailingElections implements Elections {
        @Override
        public Optional<ElectionView> find(String name) {
            throw new IllegalStateException("on purpose");
        }

        @Override
        public List<ElectionView> list() {
            throw new IllegalStateException("on purpose");
        }
    }
}
