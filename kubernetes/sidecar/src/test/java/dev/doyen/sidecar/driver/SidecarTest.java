package dev.doyen.sidecar.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.doyen.Election;
import dev.doyen.LeaseCandidate;
import dev.doyen.election.HealthCheck;
import dev.doyen.elector.AdminAccess;
import dev.doyen.elector.http.ListenAddress;
import dev.doyen.elector.http.RawSocket;
import dev.doyen.sidecar.Mode;
import dev.doyen.sidecar.Release;
import dev.doyen.sidecar.SidecarSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A sidecar with real sockets over a memory store. Longer than most tests, because all of them share one setup. */
@Timeout(180)
final class SidecarTest {

    private static final String EXACT =
            "\\{\"name\":\"%s\",\"last_update\":\"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ\"}";

    /** A lease that is not released then outlasts every test. */
    private static final Duration LONG = Duration.ofMinutes(10);

    /** The holder sees a request in the record at its next renewal, after a fifth of this time. */
    private static final Duration SHORT = Duration.ofSeconds(6);

    private final String store = "memory:" + UUID.randomUUID();
    private final HttpClient http = HttpClient.newHttpClient();
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (var each : open) {
            each.close();
        }
    }

    @Test
    void it_stands_and_names_itself_byte_for_byte() throws Exception {
        var sidecar = start(settings("me"));
        awaitName(sidecar, "me");

        try (var socket = new RawSocket(sidecar.electorAddress())) {
            socket.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            var answer = socket.readAll();
            assertThat(answer)
                    .startsWith("HTTP/1.1 200 OK\r\n")
                    .contains("\r\nContent-Type: application/json\r\n", "\r\nCache-Control: no-cache\r\n");
            assertThat(answer.substring(answer.indexOf("\r\n\r\n") + 4)).matches(EXACT.formatted("me"));
        }
    }

    @Test
    void localhost_is_both_loopback_addresses_where_there_are_two() throws Exception {
        var sidecar = start(settings("me"));
        int port = sidecar.electorAddress().getPort();
        assertThat(anyAnswerAt(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port)))
                .startsWith("HTTP/1.1 200 OK\r\n");

        var one = new byte[16];
        one[15] = 1;
        var six = new InetSocketAddress(InetAddress.getByAddress(one), port);
        assumeTrue(
                NetworkInterface.getByInetAddress(six.getAddress()) != null,
                "SKIPPED: this machine has no address ::1");
        assertThat(anyAnswerAt(six)).startsWith("HTTP/1.1 200 OK\r\n").contains("{\"name\":\"");
    }

    private static String anyAnswerAt(InetSocketAddress address) throws IOException {
        try (var socket = new RawSocket(address)) {
            socket.send("BREW /any/path HTTP/1.0\r\n\r\n");
            return socket.readAll();
        }
    }

    @Test
    void sse_tells_the_same_at_once_and_when_this_one_leaves() throws Exception {
        var sidecar = start(settings("me"));
        awaitName(sidecar, "me");
        try (var socket = new RawSocket(sidecar.electorAddress())) {
            socket.send("GET /sse HTTP/1.0\r\n\r\n");
            assertThat(socket.readThrough("\r\n\r\n"))
                    .contains("Content-Type: text/event-stream\r\n", "Cache-Control: no-cache\r\n");
            assertThat(socket.readThrough("\n\n")).matches("data: " + EXACT.formatted("me") + "\n\n");

            sidecar.leave();

            assertThat(socket.readThrough("\n\n")).matches("data: " + EXACT.formatted("") + "\n\n");
        }
    }

    @Test
    void a_follower_names_the_leader_and_healthz_waits_for_one() throws Exception {
        var absent = start(settings("me"), "file:/proc/no-such-folder", Optional.empty(), noSigns());
        assertThat(body(absent.electorAddress(), "/")).matches(EXACT.formatted(""));
        assertThat(get(absent.probeAddress(), "/healthz").statusCode()).isEqualTo(503);
        assertThat(get(absent.probeAddress(), "/readyz").statusCode()).isEqualTo(503);
        assertThat(get(absent.electorAddress(), "/v1/elections/e").statusCode()).isEqualTo(404);
        assertThat(send(absent, "POST", "/v1/elections/e/resign", "").statusCode())
                .isEqualTo(404);

        awaitLeading(other("you"));
        var sidecar = start(settings("me"));
        awaitName(sidecar, "you");
        assertThat(get(sidecar.probeAddress(), "/healthz").statusCode()).isEqualTo(200);
        assertThat(get(sidecar.probeAddress(), "/readyz").statusCode()).isEqualTo(200);
        assertThat(body(sidecar.probeAddress(), "/metrics"))
                .contains("leader_election_master_status{name=\"e\"} 0\n", "doyen_term{election=\"e\"} 1\n");
    }

    @Test
    void told_to_end_without_a_sign_of_the_app_it_gives_the_lease_back() throws Exception {
        var sidecar = start(settings("me"));
        awaitName(sidecar, "me");
        var other = other("you");

        sidecar.leave();
        sidecar.await();

        awaitLeading(other);
    }

    @Test
    void told_to_end_it_holds_the_lease_until_the_apps_port_is_closed() throws Exception {
        var app = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        var sidecar =
                start(settings("me"), store, Optional.empty(), AppSigns.ofPort(OptionalInt.of(app.getLocalPort())));
        awaitName(sidecar, "me");
        var other = other("you");
        await("the other sees it", other::leader, Optional::isPresent);

        sidecar.leave();
        awaitName(sidecar, "");
        // Not reported any more, but still the holder, as the other candidate sees.
        assertThat(other.leader())
                .hasValueSatisfying(leader -> assertThat(leader.id()).isEqualTo("me"));
        assertThat(other.isLeader()).isFalse();
        app.close();

        sidecar.await();
        awaitLeading(other);
    }

    @Test
    void told_to_end_it_holds_the_lease_until_the_app_resigns() throws Exception {
        var sidecar = start(settings("me", LONG, Release.WAIT));
        awaitName(sidecar, "me");
        var other = other("you");
        sidecar.leave();
        awaitName(sidecar, "");
        assertThat(other.isLeader()).isFalse();

        assertThat(send(sidecar, "POST", "/v1/elections/e/resign", "").statusCode())
                .isEqualTo(200);

        sidecar.await();
        awaitLeading(other);
    }

    @Test
    void an_ill_app_is_replaced_and_stands_again_when_it_is_well() throws Exception {
        var well = new AtomicBoolean(true);
        var check = HealthCheck.of(well::get).every(Duration.ofMillis(100)).hysteresis(2, 2);
        var sidecar = start(settings("me"), store, Optional.of(check), noSigns());
        awaitName(sidecar, "me");
        var other = other("you");

        well.set(false);
        awaitName(sidecar, "you");
        awaitLeading(other);
        well.set(true);
        other.resign(LONG).join();
        awaitName(sidecar, "me");
    }

    @Test
    void orders_reach_the_own_candidate_and_others() throws Exception {
        var sidecar = start(settings("me", SHORT));
        awaitName(sidecar, "me");
        var other = other("you", SHORT);

        assertThat(send(sidecar, "POST", "/v1/elections/e/resign?cooldown=1s", "")
                        .statusCode())
                .isEqualTo(200);
        awaitLeading(other);
        awaitName(sidecar, "you");
        var transfer = send(sidecar, "POST", "/v1/elections/e/transfer?to=me&wait=60s", "");
        assertThat(transfer.statusCode()).isEqualTo(200);
        assertThat(transfer.body()).contains("\\\"me\\\" leads now, in term ");
        awaitName(sidecar, "me");
        assertThat(send(sidecar, "POST", "/v1/elections/e/pause?reason=backup", "")
                        .statusCode())
                .isEqualTo(202);
        awaitName(sidecar, "");
        // First not reported, then released. Only after that is there no leader to send a command to.
        await("released", other::leader, Optional::isEmpty);
        assertThat(send(sidecar, "POST", "/v1/elections/e/resign", "").statusCode())
                .isEqualTo(409);
        assertThat(send(sidecar, "POST", "/v1/elections/e/resume", "").statusCode())
                .isEqualTo(200);
        await("somebody leads", () -> body(sidecar.electorAddress(), "/"), body -> !body.contains("\"\""));
        assertThat(body(sidecar.electorAddress(), "/v1/elections/e/history"))
                .contains("\"end\":\"resigned\"", "\"end\":\"transferred\"", "\"end\":\"paused\"");
    }

    @Test
    void a_transfer_to_a_candidate_in_its_cooldown_is_answered_when_that_leads() throws Exception { // M2
        var sidecar = start(settings("me", SHORT));
        awaitName(sidecar, "me");
        var other = other("you", SHORT);
        assertThat(send(sidecar, "POST", "/v1/elections/e/resign?cooldown=60m", "")
                        .statusCode())
                .isEqualTo(200);
        awaitLeading(other);

        var transfer = send(sidecar, "POST", "/v1/elections/e/transfer?to=me&wait=60s", "");

        assertThat(transfer.statusCode()).isEqualTo(200);
        assertThat(transfer.body()).contains("\\\"me\\\" leads now, in term ").contains("\"leader\":{\"id\":\"me\",");
    }

    @Test
    void a_transfer_to_a_candidate_that_does_not_take_over_names_who_leads_instead() throws Exception {
        var sidecar = start(settings("me", SHORT));
        awaitName(sidecar, "me");
        other("you", SHORT);

        var transfer = send(sidecar, "POST", "/v1/elections/e/transfer?to=nobody&wait=60s", "");

        assertThat(transfer.statusCode()).isEqualTo(409);
        assertThat(transfer.body())
                .contains(", because \\\"nobody\\\" did not take over; check that it runs and is eligible")
                .containsPattern("\"leader\":\\{\"id\":\"(me|you)\",\"term\":[2-9]");
    }

    @Test
    void nobody_is_asked_to_hand_over_to_a_candidate_that_is_known_not_to_stand() throws Exception {
        var other = other("you");
        awaitLeading(other);
        var sidecar = start(settings("me"));
        awaitName(sidecar, "you");
        send(sidecar, "DELETE", "/v1/elections/e/candidates/me", "");

        var transfer = send(sidecar, "POST", "/v1/elections/e/transfer?to=me", "");

        assertThat(transfer.statusCode()).isEqualTo(409);
        assertThat(transfer.body()).contains("\\\"me\\\" cannot take over: this candidate is paused");
        assertThat(send(sidecar, "POST", "/v1/elections/e/transfer?to=you", "").body())
                .contains("leads already, so nothing was asked");
        assertThat(other.isLeader()).isTrue();
    }

    @Test
    void the_leader_saves_state_and_a_follower_may_only_look() throws Exception {
        var other = other("you");
        awaitLeading(other);
        var sidecar = start(settings("me"));
        awaitName(sidecar, "you");
        assertThat(send(sidecar, "PUT", "/v1/elections/e/state", "41").statusCode())
                .isEqualTo(409);

        other.resign(LONG).join();
        awaitName(sidecar, "me");
        assertThat(send(sidecar, "PUT", "/v1/elections/e/state", "42 \u00e5").statusCode())
                .isEqualTo(200);
        assertThat(body(sidecar.electorAddress(), "/v1/elections/e/state")).isEqualTo("42 \u00e5");
        assertThat(send(sidecar, "PUT", "/v1/elections/e/state", "x".repeat(65_537))
                        .statusCode())
                .isEqualTo(413);

        var follower = start(settings("third"));
        awaitName(follower, "me");
        assertThat(body(follower.electorAddress(), "/v1/elections/e/state")).isEqualTo("42 \u00e5");
    }

    @Test
    void an_app_that_says_when_to_stand_leads_only_while_it_says_so() throws Exception {
        var sidecar = start(settings("me"));
        awaitName(sidecar, "me");
        assertThat(send(sidecar, "DELETE", "/v1/elections/e/candidates/me", "").statusCode())
                .isEqualTo(200);
        awaitName(sidecar, "");
        assertThat(send(sidecar, "PUT", "/v1/elections/e/candidates/me?ttl=5s", "")
                        .statusCode())
                .isEqualTo(200);
        awaitName(sidecar, "me");
        // The request is not repeated, so it expires.
        awaitName(sidecar, "");
        assertThat(send(sidecar, "PUT", "/v1/elections/e/candidates/you", "").statusCode())
                .isEqualTo(404);
    }

    @Test
    void a_reader_that_stands_still_keeps_nobody_waiting_and_streams_end_with_their_readers() throws Exception {
        var sidecar = start(settings("me"));
        awaitName(sidecar, "me");
        List<RawSocket> readers = new ArrayList<>();
        for (int at = 0; at < 10; at++) {
            var socket = new RawSocket(sidecar.electorAddress());
            open.add(socket);
            readers.add(socket);
            socket.send("GET /sse HTTP/1.0\r\n\r\n");
            socket.readThrough("\n\n");
        }
        awaitMetric(sidecar, "doyen_event_streams{election=\"e\"} 10");

        // Nine readers stop reading; the tenth receives both changes.
        send(sidecar, "DELETE", "/v1/elections/e/candidates/me", "");
        assertThat(readers.get(9).readThrough("\n\n")).contains("\"name\":\"\"");
        send(sidecar, "PUT", "/v1/elections/e/candidates/me", "");
        assertThat(readers.get(9).readThrough("\n\n")).contains("\"name\":\"me\"");
        for (var reader : readers) {
            reader.close();
        }
        awaitMetric(sidecar, "doyen_event_streams{election=\"e\"} 0");
    }

    @Test
    void a_store_that_cannot_be_meant_is_a_sentence() throws Exception {
        var sidecar = start(settings("me"), "nosuch:x", Optional.empty(), noSigns());

        assertThatThrownBy(sidecar::await)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no store for \"nosuch:\"");
    }

    private static AppSigns noSigns() {
        return AppSigns.ofPort(OptionalInt.empty());
    }

    private static SidecarSettings settings(String id) {
        return settings(id, LONG);
    }

    private static SidecarSettings settings(String id, Duration ttl) {
        return settings(id, ttl, Release.AT_ONCE);
    }

    private static SidecarSettings settings(String id, Duration ttl, Release release) {
        return new SidecarSettings("e", id, ttl, Mode.LEASE, release, LONG, OptionalInt.empty(), AdminAccess.LOOPBACK);
    }

    private Sidecar start(SidecarSettings settings) throws Exception {
        return start(settings, store, Optional.empty(), noSigns());
    }

    private Sidecar start(SidecarSettings settings, String url, Optional<HealthCheck> health, AppSigns signs)
            throws Exception {
        var anywhere = new ListenAddress("localhost", 0);
        var sidecar = Sidecar.start(
                settings, new Sidecar.Addresses(anywhere, anywhere, Optional.empty()), url, health, signs);
        open.add(() -> {
            sidecar.leave();
            sidecar.leave();
            try {
                sidecar.await();
            } catch (IllegalArgumentException e) {
                // Its settings were rejected; another test covers that.
            }
            sidecar.close();
        });
        return sidecar;
    }

    private LeaseCandidate other(String id) {
        return other(id, LONG);
    }

    private LeaseCandidate other(String id, Duration ttl) {
        var election = Election.lease("e").store(store).ttl(ttl).open();
        open.add(0, election);
        return election.join(id);
    }

    private void awaitLeading(LeaseCandidate candidate) throws Exception {
        await(candidate.id() + " leads", candidate::isLeader, leads -> leads);
    }

    private void awaitName(Sidecar sidecar, String name) throws Exception {
        await("named: " + name, () -> body(sidecar.electorAddress(), "/"), body -> body.matches(EXACT.formatted(name)));
    }

    private void awaitMetric(Sidecar sidecar, String line) throws Exception {
        await(line, () -> body(sidecar.probeAddress(), "/metrics"), body -> body.contains(line + "\n"));
    }

    private static <T> void await(String what, Callable<T> question, Predicate<T> answer) throws Exception {
        long until = System.nanoTime() + Duration.ofSeconds(90).toNanos();
        T last = question.call();
        while (!answer.test(last)) {
            if (System.nanoTime() - until > 0) {
                throw new AssertionError(what + "; last seen: " + last);
            }
            new Semaphore(0).tryAcquire(5, TimeUnit.MILLISECONDS);
            last = question.call();
        }
    }

    private String body(InetSocketAddress address, String path) throws IOException, InterruptedException {
        return get(address, path).body();
    }

    private HttpResponse<String> get(InetSocketAddress address, String path) throws IOException, InterruptedException {
        return http.send(request(address, path).build(), BodyHandlers.ofString(StandardCharsets.UTF_8));
    }

    private HttpResponse<String> send(Sidecar sidecar, String method, String path, String body)
            throws IOException, InterruptedException {
        var request = request(sidecar.electorAddress(), path)
                .method(method, HttpRequest.BodyPublishers.ofString(body, StandardCharsets.UTF_8))
                .build();
        return http.send(request, BodyHandlers.ofString(StandardCharsets.UTF_8));
    }

    private static HttpRequest.Builder request(InetSocketAddress address, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + address.getPort() + path))
                .timeout(Duration.ofSeconds(90));
    }
}
