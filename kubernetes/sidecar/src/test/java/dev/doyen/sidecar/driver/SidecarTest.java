package dev.doyen.sidecar.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.doyen.Election;
import dev.doyen.LeaseCandidate;
import dev.doyen.election.HealthCheck;
import dev.doyen.elector.AdminAccess;
import dev.doyen.elector.audit.AuditLog;
import dev.doyen.elector.http.ListenAddress;
import dev.doyen.elector.http.RawSocket;
import dev.doyen.elector.http.TlsSettings;
import dev.doyen.event.LossCause;
import dev.doyen.sidecar.Mode;
import dev.doyen.sidecar.Release;
import dev.doyen.sidecar.SidecarSettings;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.StoreRefusedException;
import dev.doyen.store.StoreUnavailableException;
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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests a sidecar with real sockets and a memory store. This class is longer than most test classes, because all tests
 * share one setup.
 */
@Timeout(180)
final class SidecarTest {

    private static final String EXACT =
            "\\{\"name\":\"%s\",\"last_update\":\"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ\"}";

    /** A ttl that is longer than every test. A lease with this ttl does not expire during a test. */
    private static final Duration LONG = Duration.ofMinutes(10);

    /**
     * A short ttl. The holder reads a request in the record at its next renewal, and it renews the lease every ttl/5.
     */
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
    void it_campaigns_and_reports_itself_byte_for_byte() throws Exception {
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
    void localhost_includes_both_loopback_addresses() throws Exception {
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
    void sse_sends_the_same_answer_at_once_and_when_the_sidecar_leaves() throws Exception {
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
    void a_follower_reports_the_leader_and_healthz_waits_for_a_leader() throws Exception {
        var absent = start(settings("me"), "file:/proc/no-such-folder", Optional.empty(), noSigns());
        assertThat(body(absent.electorAddress(), "/")).matches(EXACT.formatted(""));
        assertThat(get(absent.probeAddress(), "/healthz").statusCode()).isEqualTo(503);
        var unready = get(absent.probeAddress(), "/readyz");
        assertThat(unready.statusCode()).isEqualTo(503);
        assertThat(unready.body()).contains("no leader is known yet");
        for (String path : List.of("/v1/elections/e", "/v1/elections/e/events")) {
            var early = get(absent.electorAddress(), path);
            assertThat(early.statusCode()).isEqualTo(503);
            assertThat(early.headers().firstValue("Retry-After")).isPresent();
        }
        await(
                "the reason for the unknown state",
                () -> body(absent.electorAddress(), "/v1/elections/e"),
                body -> body.contains("the store cannot be opened yet: "));
        await(
                "the attempts to open the store in the metrics",
                () -> body(absent.probeAddress(), "/metrics"),
                body -> body.lines()
                        .filter(line -> line.startsWith("doyen_store_errors_total{"))
                        .filter(line -> line.contains("operation=\"read\"") && line.contains("kind=\"away\""))
                        .anyMatch(line -> !line.endsWith(" 0")));
        assertThat(get(absent.electorAddress(), "/v1/elections/other").statusCode())
                .isEqualTo(404);
        assertThat(send(absent, "POST", "/v1/elections/e/resign", "").statusCode())
                .isEqualTo(503);

        awaitLeading(other("you"));
        var sidecar = start(settings("me"));
        awaitName(sidecar, "you");
        assertThat(get(sidecar.probeAddress(), "/healthz").statusCode()).isEqualTo(200);
        assertThat(get(sidecar.probeAddress(), "/readyz").statusCode()).isEqualTo(200);
        assertThat(body(sidecar.probeAddress(), "/metrics"))
                .contains("doyen_is_leader{election=\"e\"} 0\n", "doyen_term{election=\"e\"} 1\n");
    }

    @Test
    void an_elector_of_a_newer_generation_is_ready_after_its_request() throws Exception { // M8
        var old = start(settings("old", 1));
        awaitName(old, "old");
        var well = new AtomicBoolean();
        var fresh = start(settings("new", 2), store, Optional.of(HealthCheck.of(well::get)), noSigns());
        awaitName(fresh, "old");
        assertThat(get(fresh.probeAddress(), "/readyz").statusCode()).isEqualTo(503);
        assertThat(body(fresh.probeAddress(), "/readyz")).contains("has not yet asked a leader of an older generation");
        assertThat(get(old.probeAddress(), "/readyz").statusCode()).isEqualTo(200);
        well.set(true);
        awaitName(fresh, "new");
        assertThat(get(fresh.probeAddress(), "/readyz").statusCode()).isEqualTo(200);
    }

    @Test
    void a_generation_out_of_bounds_or_without_effect_is_rejected() { // M8
        assertThatThrownBy(() -> settings("me", -1)).hasMessageStartingWith("--generation -1 is out of bounds; give 0");
        assertThatThrownBy(() -> settings("me", LeaseNotes.MAX_GENERATION + 1)).hasMessageContaining("out of bounds");
        assertThatThrownBy(() -> new SidecarSettings(
                        "e",
                        "me",
                        LONG,
                        1,
                        Mode.NON_EXPIRING,
                        Release.AT_ONCE,
                        LONG,
                        OptionalInt.empty(),
                        AdminAccess.LOOPBACK))
                .hasMessageContaining("has no effect in --mode non_expiring");
    }

    private static SidecarSettings settings(String id, long generation) {
        return new SidecarSettings(
                "e",
                id,
                Duration.ofSeconds(15),
                generation,
                Mode.LEASE,
                Release.AT_ONCE,
                LONG,
                OptionalInt.empty(),
                AdminAccess.LOOPBACK);
    }

    @Test
    void a_store_that_rejects_the_login_is_opened_again_after_one_ttl() {
        var ttl = Duration.ofSeconds(15);
        assertThat(Sidecar.waitAfter(new StoreRefusedException("no login", "check the password", null), ttl))
                .isEqualTo(ttl);
        assertThat(Sidecar.waitAfter(new StoreUnavailableException("away"), ttl))
                .isEqualTo(Duration.ofSeconds(2));
        assertThat(Sidecar.waitAfter(
                        new StoreRefusedException("no login", "check the password", null), Duration.ofMillis(200)))
                .isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void after_sigterm_without_a_signal_of_the_app_it_releases_the_lease() throws Exception {
        var sidecar = start(settings("me"));
        awaitName(sidecar, "me");
        var other = other("you");

        sidecar.leave();
        sidecar.await();

        awaitLeading(other);
    }

    @Test
    void after_sigterm_it_keeps_the_lease_until_the_app_port_is_closed() throws Exception {
        var app = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        var sidecar =
                start(settings("me"), store, Optional.empty(), AppSigns.ofPort(OptionalInt.of(app.getLocalPort())));
        awaitName(sidecar, "me");
        var other = other("you");
        await("the other candidate observes the leader", other::leader, Optional::isPresent);

        sidecar.leave();
        awaitName(sidecar, "");
        // The sidecar no longer reports that its candidate leads, but the other candidate still observes "me" as the
        // holder.
        assertThat(other.leader())
                .hasValueSatisfying(leader -> assertThat(leader.id()).isEqualTo("me"));
        assertThat(other.isLeader()).isFalse();
        app.close();

        sidecar.await();
        awaitLeading(other);
    }

    @Test
    void after_sigterm_it_releases_the_lease_if_the_app_port_was_open_and_is_closed() throws Exception {
        Sidecar sidecar;
        try (var app = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            app.setSoTimeout(60_000);
            var signs = AppSigns.ofPort(OptionalInt.of(app.getLocalPort()));
            sidecar = start(settings("me", LONG, Release.WAIT), store, Optional.empty(), signs);
            awaitName(sidecar, "me");
            app.accept().close();
        }

        sidecar.leave();
        sidecar.await();

        awaitLeading(other("you"));
    }

    @Test
    void after_sigterm_a_failing_health_check_does_not_release_the_lease() throws Exception {
        var well = new AtomicBoolean(true);
        var failures = new AtomicInteger();
        int fall = 2;
        var check = HealthCheck.of(() -> {
                    if (!well.get()) {
                        failures.incrementAndGet();
                    }
                    return well.get();
                })
                .every(Duration.ofMillis(10))
                .hysteresis(fall, 1);
        var app = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        var signs = AppSigns.ofPort(OptionalInt.of(app.getLocalPort()));
        var sidecar = start(settings("me"), store, Optional.of(check), signs);
        awaitName(sidecar, "me");
        var other = other("you");

        sidecar.leave();
        awaitName(sidecar, "");
        well.set(false);
        await("more failures than the check permits", failures::get, count -> count > fall + 1);
        assertThat(other.isLeader()).isFalse();
        app.close();

        sidecar.await();
        awaitLeading(other);
        assertThat(other.history()).extracting(LeaseNotes.PastTerm::end).containsExactly(LossCause.CLOSED);
    }

    @Test
    void after_sigterm_it_keeps_the_lease_until_the_app_resigns() throws Exception {
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
    void an_unhealthy_app_is_replaced_and_campaigns_again_when_healthy() throws Exception {
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
    void admin_commands_reach_the_local_and_other_candidates() throws Exception {
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
        // The sidecar first reports that nobody leads, and then releases the lease. The command is rejected only after
        // the release.
        await("released", other::leader, Optional::isEmpty);
        assertThat(send(sidecar, "POST", "/v1/elections/e/resign", "").statusCode())
                .isEqualTo(409);
        assertThat(send(sidecar, "POST", "/v1/elections/e/resume", "").statusCode())
                .isEqualTo(200);
        await("a candidate leads", () -> body(sidecar.electorAddress(), "/"), body -> !body.contains("\"\""));
        assertThat(body(sidecar.electorAddress(), "/v1/elections/e/history"))
                .contains("\"end\":\"resigned\"", "\"end\":\"transferred\"", "\"end\":\"paused\"");
    }

    @Test
    void the_history_names_the_author_of_a_command_to_the_own_candidate() throws Exception {
        var sidecar = start(settings("me", SHORT));
        awaitName(sidecar, "me");
        var other = other("you", SHORT);

        assertThat(send(sidecar, "POST", "/v1/elections/e/transfer?to=you&reason=maintenance&wait=60s", "")
                        .statusCode())
                .isEqualTo(200);
        awaitLeading(other);

        assertThat(body(sidecar.electorAddress(), "/v1/elections/e/history"))
                .contains("\"end\":\"transferred\"", " through the elector me\"", "\"reason\":\"maintenance\"");
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
    void a_transfer_to_a_candidate_that_does_not_take_over_reports_the_leader() throws Exception {
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
    void a_transfer_to_a_withdrawn_candidate_is_rejected() throws Exception {
        var other = other("you");
        awaitLeading(other);
        var sidecar = start(settings("me"));
        awaitName(sidecar, "you");
        send(sidecar, "DELETE", "/v1/elections/e/candidates/me", "");

        var transfer = send(sidecar, "POST", "/v1/elections/e/transfer?to=me", "");

        assertThat(transfer.statusCode()).isEqualTo(409);
        assertThat(transfer.body()).contains("\\\"me\\\" cannot take over: this candidate is paused");
        assertThat(send(sidecar, "POST", "/v1/elections/e/transfer?to=you", "").body())
                .contains("leads already, so no command was sent");
        assertThat(other.isLeader()).isTrue();
    }

    @Test
    void the_leader_saves_state_and_a_follower_only_reads_it() throws Exception {
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
    void an_app_that_controls_its_candidacy_leads_only_while_it_requests_it() throws Exception {
        var sidecar = start(settings("me"));
        awaitName(sidecar, "me");
        assertThat(send(sidecar, "DELETE", "/v1/elections/e/candidates/me", "").statusCode())
                .isEqualTo(200);
        awaitName(sidecar, "");
        assertThat(send(sidecar, "PUT", "/v1/elections/e/candidates/me?ttl=5s", "")
                        .statusCode())
                .isEqualTo(200);
        awaitName(sidecar, "me");
        // The app does not repeat the request, so the request expires after 5 s.
        awaitName(sidecar, "");
        assertThat(send(sidecar, "PUT", "/v1/elections/e/candidates/you", "").statusCode())
                .isEqualTo(404);
    }

    @Test
    void a_stalled_reader_blocks_no_other_and_a_stream_ends_with_its_reader() throws Exception {
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
        awaitMetric(sidecar, "doyen_event_streams{port=\"elector\"} 10");

        // Nine clients stop reading. The tenth client receives both following changes of the leader.
        send(sidecar, "DELETE", "/v1/elections/e/candidates/me", "");
        assertThat(readers.get(9).readThrough("\n\n")).contains("\"name\":\"\"");
        send(sidecar, "PUT", "/v1/elections/e/candidates/me", "");
        assertThat(readers.get(9).readThrough("\n\n")).contains("\"name\":\"me\"");
        for (var reader : readers) {
            reader.close();
        }
        awaitMetric(sidecar, "doyen_event_streams{port=\"elector\"} 0");
    }

    @Test
    void an_invalid_store_is_reported_in_a_sentence() throws Exception {
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
        return new SidecarSettings(
                "e", id, ttl, 0, Mode.LEASE, release, LONG, OptionalInt.empty(), AdminAccess.LOOPBACK);
    }

    private Sidecar start(SidecarSettings settings) throws Exception {
        return start(settings, store, Optional.empty(), noSigns());
    }

    private Sidecar start(SidecarSettings settings, String url, Optional<HealthCheck> health, AppSigns signs)
            throws Exception {
        var anywhere = new ListenAddress("localhost", 0);
        var sidecar = Sidecar.start(
                settings,
                new Sidecar.Addresses(anywhere, anywhere, Optional.empty(), TlsSettings.NONE, AuditLog.NONE),
                url,
                health,
                signs);
        open.add(() -> {
            sidecar.leave();
            sidecar.leave();
            try {
                sidecar.await();
            } catch (IllegalArgumentException e) {
                // The store's URL was rejected. The test that passes such a URL has already checked the exception.
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
                throw new AssertionError("not true in time: " + what + "; last value: " + last);
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
