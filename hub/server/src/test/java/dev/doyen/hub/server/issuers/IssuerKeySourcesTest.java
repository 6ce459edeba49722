package dev.doyen.hub.server.issuers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.doyen.hub.auth.Capability;
import dev.doyen.hub.auth.IssuerKeys;
import dev.doyen.hub.auth.TrustedIssuer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jose4j.jwk.EcJwkGenerator;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.keys.EllipticCurves;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests key sets from real files, and from a real HTTP server with a clock that the test sets. */
final class IssuerKeySourcesTest {

    @TempDir
    private Path folder;

    private final AtomicInteger requests = new AtomicInteger();
    private final List<IssuerKeys> found = new ArrayList<>();
    private HttpServer server;
    private KeySetUrl download;
    private volatile String body = "";
    private volatile int status = 200;
    private boolean isKeyUnknown;
    private long nanos = 1_000;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/jwks.json", exchange -> {
            requests.incrementAndGet();
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            if (status == 302) {
                exchange.getResponseHeaders().set("Location", "/elsewhere");
            }
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        download = new KeySetUrl(
                URI.create("http://localhost:" + server.getAddress().getPort() + "/jwks.json"),
                () -> nanos,
                () -> {
                    boolean was = isKeyUnknown;
                    isKeyUnknown = false;
                    return was;
                },
                found::add);
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private static String keySet(String kid) {
        try {
            JsonWebKey key = EcJwkGenerator.generateJwk(EllipticCurves.P256);
            key.setKeyId(kid);
            return new JsonWebKeySet(key).toJson();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
    }

    @Test
    void a_key_set_is_downloaded_at_once_and_then_every_ten_minutes() throws IOException {
        body = keySet("one");
        download.run();
        download.run();
        assertThat(requests).hasValue(1);
        assertThat(found)
                .singleElement()
                .satisfies(keys -> assertThat(keys.kids()).containsExactly("one"));
        body = keySet("two");
        pass(KeySetUrl.REFRESH.minusNanos(1));
        download.run();
        assertThat(requests).hasValue(1);
        pass(Duration.ofNanos(1));
        download.run();
        assertThat(found).hasSize(2);
        pass(KeySetUrl.REFRESH);
        download.run();
        assertThat(requests).hasValue(3);
        assertThat(found).as("an unchanged key set is not passed on").hasSize(2);
    }

    @Test
    void unknown_keys_cause_at_most_one_download_in_each_interval() throws IOException {
        body = keySet("one");
        download.run();
        for (int i = 0; i < 100; i++) {
            isKeyUnknown = true;
            download.run();
        }
        assertThat(requests).hasValue(1);
        pass(KeySetUrl.MIN_INTERVAL);
        for (int i = 0; i < 100; i++) {
            isKeyUnknown = true;
            download.run();
        }
        assertThat(requests).hasValue(2);
        pass(KeySetUrl.MIN_INTERVAL);
        download.run();
        assertThat(requests)
                .as("the unknown keys after the last download cause one more")
                .hasValue(3);
        pass(KeySetUrl.MIN_INTERVAL);
        download.run();
        assertThat(requests).hasValue(3);
    }

    @Test
    void a_failure_keeps_the_keys_and_is_tried_again_after_the_interval() throws IOException {
        body = keySet("one");
        download.run();
        pass(KeySetUrl.REFRESH);
        status = 500;
        for (int i = 0; i < 10; i++) {
            assertThatThrownBy(download::run)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(
                            "/jwks.json cannot be used: the answer has the status 500; the hub continues with"
                                    + " the keys that it knows");
        }
        assertThat(requests).hasValue(2);
        assertThat(found).hasSize(1);
        status = 200;
        pass(KeySetUrl.MIN_INTERVAL);
        download.run();
        assertThat(requests).hasValue(3);
    }

    @Test
    void redirects_large_answers_and_other_texts_are_rejected() {
        status = 302;
        assertThatThrownBy(download::run).hasMessageContaining("status 302");
        status = 200;
        body = " ".repeat(IssuerKeys.MAX_LENGTH + 1);
        pass(KeySetUrl.MIN_INTERVAL);
        assertThatThrownBy(download::run).hasMessageContaining("more than 262144 bytes");
        body = "<html>";
        pass(KeySetUrl.MIN_INTERVAL);
        assertThatThrownBy(download::run).hasMessageContaining("the key set is not JSON");
        server.stop(0);
        pass(KeySetUrl.MIN_INTERVAL);
        assertThatThrownBy(download::run).isInstanceOf(IOException.class);
        assertThat(found).isEmpty();
    }

    @Test
    void a_changed_file_replaces_the_keys_and_a_wrong_file_is_an_error_at_the_start() throws Exception {
        Path file = Files.writeString(folder.resolve("jwks.json"), keySet("one"));
        var sources =
                List.of(new IssuerSource(new TrustedIssuer("login", null, null, Capability.ALL), file.toString()));
        BlockingQueue<String> changes = new LinkedBlockingQueue<>();
        try (var opened = IssuerKeySources.open(sources)) {
            opened.start(
                    new IssuerKeySources.Receiver() {
                        @Override
                        public void issuerKeysChanged(String issuer, IssuerKeys keys) {
                            changes.add(issuer + " " + keys.kids());
                        }

                        @Override
                        public boolean takeUnknownKey(String issuer) {
                            return false;
                        }
                    },
                    Duration.ofMillis(1));
            Files.writeString(file, keySet("two"));
            assertThat(changes.poll(60, TimeUnit.SECONDS)).isEqualTo("login [two]");
        }
        Files.writeString(file, "{}");
        assertThatThrownBy(() -> IssuerKeySources.open(sources))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(file + " cannot be used: a key set is an object");
        Files.delete(file);
        assertThatThrownBy(() -> IssuerKeySources.open(sources)).hasMessage(file + " does not exist");
    }
}
