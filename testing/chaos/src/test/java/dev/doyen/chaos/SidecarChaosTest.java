package dev.doyen.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.doyen.chaos.SidecarOutput.Report;
import dev.doyen.kubernetesserver.KubernetesServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Chaos tests of sidecars as processes on a real Kubernetes API server.
 *
 * <p>Each sidecar campaigns for one app. Two sidecars must never both name their own app as the leader at the same
 * time. Terms must rise.
 *
 * <ul>
 * <li>{@code -Dchaos.rounds=7} runs seven rounds and prints the medians of their times.
 * <li>{@code -Dchaos.away=60} stops the API server for a minute.
 * <li>{@code -Dchaos.fresh=true} starts new processes for each round of the test that kills an app. So no process of a
 * round has taken part in an earlier change of leader.
 * <li>{@code -Dchaos.image=DIR} runs the elector of a container image that is unpacked into this directory.
 * </ul>
 */
@Timeout(900)
class SidecarChaosTest {

    private static final Duration TTL = Duration.ofSeconds(Long.getLong("chaos.ttl", 5));
    private static final Duration POLL = TTL.dividedBy(10);
    private static final int ROUNDS = Integer.getInteger("chaos.rounds", 1);
    private static final boolean FRESH = Boolean.getBoolean("chaos.fresh");
    private static final Duration AWAY = Duration.ofSeconds(Integer.getInteger("chaos.away", 6));

    /** The maximum time from the release of a lease until the successor leads. */
    private static final Duration AT_ONCE = Duration.ofMillis(100);

    /**
     * The additional time that a busy machine can need before it runs a process.
     *
     * <p>The time is shorter than a ttl. So after a release, a test fails if the successor waits until the released
     * lease would have expired. After a kill, a test fails if the successor waits for two ttls.
     */
    private static final Duration BUSY_MACHINE = TTL.multipliedBy(7).dividedBy(10);

    /** The limit of each wait. Only a failing test waits this long. */
    private static final long PATIENCE_MILLIS = 60_000;

    private static KubernetesServer server;
    private static Path dir;

    private final SidecarOutput output = new SidecarOutput();
    private final Map<String, SidecarProcess> sidecars = new HashMap<>();
    private int started;

    @BeforeAll
    static void startServer() throws Exception {
        KubernetesServer.assumeInstalled();
        dir = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "sidecar-chaos");
        server = KubernetesServer.start(dir);
    }

    @AfterAll
    static void closeServer() {
        Optional.ofNullable(server).ifPresent(KubernetesServer::close);
    }

    @AfterEach
    void endAll() throws Exception {
        for (var each : sidecars.values()) {
            each.close();
        }
        sidecars.clear();
        server.send("DELETE", "/apis/coordination.k8s.io/v1/namespaces/default/leases/" + StoreChaos.ELECTION, "");
    }

    @Tag("long")
    @Test
    void a_killed_app_is_replaced_at_once() throws Exception { // L11
        List<Long> gaps = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            if (round == 0 || FRESH) {
                endAll();
                startThree();
            }
            Report last = settled();
            var leading = sidecars.get(last.by());
            long killed = System.nanoTime();
            leading.killApp();
            gaps.add(gapAfter(killed, last));
            leading.restartApp();
        }
        assertThat(gaps).allMatch(gap -> gap <= AT_ONCE.plus(BUSY_MACHINE).toMillis());
        nobodyOverlapped();
        print("app killed, seen by its sidecar" + (FRESH ? ", in the first change of its process" : ""), gaps);
    }

    @Tag("long")
    @Test
    void a_lost_pod_is_replaced_within_a_ttl_and_two_polls() throws Exception { // L2
        List<Long> gaps = new ArrayList<>();
        startThree();
        for (int round = 0; round < ROUNDS; round++) {
            Report last = settled();
            long killed = System.nanoTime();
            sidecars.remove(last.by()).vanish();
            gaps.add(gapAfter(killed, last));
            start();
        }
        assertThat(gaps)
                .allMatch(gap ->
                        gap <= TTL.plus(POLL.multipliedBy(2)).plus(BUSY_MACHINE).toMillis());
        nobodyOverlapped();
        print("sidecar and app killed", gaps);
    }

    @Tag("long")
    @Test
    void a_hanging_app_is_replaced_after_its_health_check_failed() throws Exception { // M6
        List<Long> gaps = new ArrayList<>();
        Map<String, HangingApp> apps = new HashMap<>();
        var every = Duration.ofMillis(200);
        int fall = 2;
        try {
            for (int at = 0; at < 3; at++) {
                var app = new HangingApp();
                apps.put(
                        start(
                                "--health-http=" + app.url(),
                                "--health-every=" + every.toMillis() + "ms",
                                "--fall=" + fall),
                        app);
            }
            for (int round = 0; round < ROUNDS; round++) {
                Report last = settled();
                var app = Optional.ofNullable(apps.get(last.by())).orElseThrow();
                long hung = System.nanoTime();
                app.hang();
                gaps.add(gapAfter(hung, last));
                app.goOn();
            }
        } finally {
            apps.values().forEach(HangingApp::close);
        }
        assertThat(gaps)
                .allMatch(gap -> gap
                        <= every.multipliedBy(fall + 1)
                                .plus(AT_ONCE)
                                .plus(BUSY_MACHINE)
                                .toMillis());
        nobodyOverlapped();
        print("app hung, asked each " + every.toMillis() + " ms, " + fall + " failures", gaps);
    }

    @Test
    void an_outage_of_the_api_server_ends_the_leadership_in_time() throws Exception { // L1, L4
        List<Long> gaps = new ArrayList<>();
        startThree();
        for (int round = 0; round < ROUNDS; round++) {
            Report last = settled();
            long stopped = System.nanoTime();
            server.stopApi();
            var silent = output.await(
                    "end of the claims of the leader",
                    stopped,
                    PATIENCE_MILLIS,
                    report -> report.by().equals(last.by()) && !report.isClaim());
            assertThat(Duration.ofNanos(silent.nanos() - stopped))
                    .as("the leader stops in time without a store")
                    .isLessThan(TTL.plus(BUSY_MACHINE));
            var rest = AWAY.minusNanos(System.nanoTime() - stopped);
            TimeUnit.NANOSECONDS.sleep(Math.max(0, rest.toNanos()));
            assertThat(output.all())
                    .as("no sidecar claims to lead while the server is stopped")
                    .noneMatch(report -> report.isClaim() && report.nanos() - silent.nanos() > 0);
            long starting = System.nanoTime();
            server.startApi();
            long ready = System.nanoTime();
            // Count from the start, because the server can answer a sidecar before this test detects that the server is
            // ready.
            var next = output.await("claim after the return of the server", starting, PATIENCE_MILLIS, Report::isClaim);
            assertThat(next.term()).isGreaterThan(last.term());
            gaps.add(TimeUnit.NANOSECONDS.toMillis(Math.max(0, next.nanos() - ready)));
        }
        nobodyOverlapped();
        print("API server stopped for " + AWAY.toSeconds() + " s, from when it is ready again", gaps);
    }

    private void startThree() throws Exception {
        for (int at = 0; at < 3; at++) {
            start();
        }
    }

    private String start(String... more) throws Exception {
        String id = "pod-" + ++started;
        sidecars.put(
                id,
                SidecarProcess.start(
                        id,
                        "kubernetes:?timeout-millis=" + TTL.dividedBy(5).toMillis() + "&kubeconfig="
                                + server.kubeconfig("admin"),
                        TTL.toMillis(),
                        dir,
                        output,
                        more));
        return id;
    }

    /**
     * Waits until one sidecar names its own app as the leader and all others name the same app.
     *
     * <p>When the followers name the leader, they have read its lease.
     */
    private Report settled() throws InterruptedException {
        long start = System.nanoTime();
        while (true) {
            var claim = lastClaim();
            if (claim.isPresent()
                    && sidecars.keySet().stream()
                            .allMatch(id -> output.lastOf(id).equals(claim.get().by()))) {
                return claim.get();
            }
            assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start))
                    .as("all sidecars name one leader; output: " + output.all())
                    .isLessThan(PATIENCE_MILLIS);
            new Semaphore(0).tryAcquire(5, TimeUnit.MILLISECONDS);
        }
    }

    private Optional<Report> lastClaim() {
        return output.all().stream().filter(Report::isClaim).reduce((one, later) -> later);
    }

    /** Returns the milliseconds until a sidecar names its own app as the leader in a higher term. */
    private long gapAfter(long fromNanos, Report last) throws InterruptedException {
        Report next = output.await(
                "claim of another sidecar",
                fromNanos,
                PATIENCE_MILLIS,
                report -> report.isClaim() && report.term() > last.term());
        return TimeUnit.NANOSECONDS.toMillis(next.nanos() - fromNanos);
    }

    private void nobodyOverlapped() {
        assertThat(output.overlaps())
                .as("no claims overlap; output: %s", output.all())
                .isEmpty();
    }

    private static void print(String fault, List<Long> gaps) {
        var sorted = gaps.stream().sorted().toList();
        System.out.printf(
                "chaos Kubernetes sidecar, ttl %d ms, %s: a leader again after %d ms (median of %d; %d to %d)%n",
                TTL.toMillis(),
                fault,
                sorted.get(sorted.size() / 2),
                gaps.size(),
                Collections.min(gaps),
                Collections.max(gaps));
    }

    /** An app that answers health checks, but sends no answers between {@link #hang} and {@link #goOn}. */
    private static final class HangingApp implements AutoCloseable {

        private final HttpServer http;
        private final Semaphore well = new Semaphore(1);

        HangingApp() throws Exception {
            http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            http.setExecutor(Executors.newCachedThreadPool(task -> {
                var thread = new Thread(task, "hanging-app");
                thread.setDaemon(true);
                return thread;
            }));
            http.createContext("/", exchange -> {
                well.acquireUninterruptibly();
                well.release();
                exchange.sendResponseHeaders(204, -1);
                exchange.close();
            });
            http.start();
        }

        String url() {
            return "http://127.0.0.1:" + http.getAddress().getPort() + "/healthz";
        }

        void hang() {
            well.acquireUninterruptibly();
        }

        void goOn() {
            well.release();
        }

        @Override
        public void close() {
            http.stop(0);
        }
    }
}
