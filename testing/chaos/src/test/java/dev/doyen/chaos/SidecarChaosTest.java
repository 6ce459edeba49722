package dev.doyen.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.doyen.chaos.SidecarOutput.Saying;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Chaos tests of leading pods, with sidecars as processes over a real Kubernetes API server.
 *
 * <p>Each sidecar has an app. Two sidecars must never name their own app as the leader at the same time, and terms must
 * rise.
 *
 * <ul>
 * <li>{@code -Dchaos.rounds=7} prints medians.
 * <li>{@code -Dchaos.away=60} stops the API server for a minute.
 * <li>{@code -Dchaos.fresh=true} starts new processes for each round in which an app is killed, so that none has seen a
 * change of leader before.
 * <li>{@code -Dchaos.image=} runs the elector of an unpacked image with this root.
 * </ul>
 */
@Timeout(900)
class SidecarChaosTest {

    private static final Duration TTL = Duration.ofSeconds(Long.getLong("chaos.ttl", 5));
    private static final Duration POLL = TTL.dividedBy(10);
    private static final int ROUNDS = Integer.getInteger("chaos.rounds", 1);
    private static final boolean FRESH = Boolean.getBoolean("chaos.fresh");
    private static final Duration AWAY = Duration.ofSeconds(Integer.getInteger("chaos.away", 6));

    /** The time to take over after a proof of death. */
    private static final Duration AT_ONCE = Duration.ofMillis(100);

    /**
     * An allowance for a busy machine that does not run a process at once.
     *
     * <p>A successor that must lead at once is still late if it waited for the end of the lease. Any other is late if
     * it waited for two ttls.
     */
    private static final Duration BUSY_MACHINE = TTL.multipliedBy(7).dividedBy(10);

    /** Long enough for anything to happen. Only a failing test waits this long. */
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
        server.ask("DELETE", "/apis/coordination.k8s.io/v1/namespaces/default/leases/" + StoreChaos.ELECTION, "");
    }

    @Test
    void an_app_that_is_killed_is_followed_at_once() throws Exception { // L11
        List<Long> gaps = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            if (round == 0 || FRESH) {
                endAll();
                startThree();
            }
            Saying last = settled();
            var leading = sidecars.get(last.by());
            long killed = System.nanoTime();
            leading.killApp();
            gaps.add(gapAfter(killed, last));
            leading.restartApp();
        }
        assertThat(gaps).allMatch(gap -> gap <= AT_ONCE.plus(BUSY_MACHINE).toMillis());
        nobodyOverlapped();
        say("app killed, seen by its sidecar" + (FRESH ? ", which never saw a change before" : ""), gaps);
    }

    @Test
    void a_pod_that_vanishes_is_followed_within_a_ttl_and_two_polls() throws Exception { // L2
        List<Long> gaps = new ArrayList<>();
        startThree();
        for (int round = 0; round < ROUNDS; round++) {
            Saying last = settled();
            long killed = System.nanoTime();
            sidecars.remove(last.by()).vanish();
            gaps.add(gapAfter(killed, last));
            start();
        }
        assertThat(gaps)
                .allMatch(gap ->
                        gap <= TTL.plus(POLL.multipliedBy(2)).plus(BUSY_MACHINE).toMillis());
        nobodyOverlapped();
        say("sidecar and app killed", gaps);
    }

    @Test
    void an_app_that_hangs_is_followed_when_its_health_has_failed() throws Exception { // M6
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
                Saying last = settled();
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
        say("app hung, asked each " + every.toMillis() + " ms, " + fall + " times no", gaps);
    }

    @Test
    void an_api_server_that_is_away_silences_the_leader_in_time_and_there_is_one_again_when_it_is_back()
            throws Exception { // L1, L4
        List<Long> gaps = new ArrayList<>();
        startThree();
        for (int round = 0; round < ROUNDS; round++) {
            Saying last = settled();
            long stopped = System.nanoTime();
            server.stopApi();
            var silent = output.await(
                    "silence of the leader",
                    stopped,
                    PATIENCE_MILLIS,
                    saying -> saying.by().equals(last.by()) && !saying.isClaim());
            assertThat(Duration.ofNanos(silent.nanos() - stopped))
                    .as("how long the leader went on without a store")
                    .isLessThan(TTL.plus(BUSY_MACHINE));
            var rest = AWAY.minusNanos(System.nanoTime() - stopped);
            TimeUnit.NANOSECONDS.sleep(Math.max(0, rest.toNanos()));
            assertThat(output.all())
                    .as("claims while the server was away")
                    .noneMatch(saying -> saying.isClaim() && saying.nanos() - silent.nanos() > 0);
            long starting = System.nanoTime();
            server.startApi();
            long ready = System.nanoTime();
            // The server may answer a sidecar before this test knows that it is ready.
            var next = output.await("claim after the server was back", starting, PATIENCE_MILLIS, Saying::isClaim);
            assertThat(next.term()).isGreaterThan(last.term());
            gaps.add(TimeUnit.NANOSECONDS.toMillis(Math.max(0, next.nanos() - ready)));
        }
        nobodyOverlapped();
        say("API server away for " + AWAY.toSeconds() + " s, from when it is ready again", gaps);
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
     * Waits until one sidecar claims leadership and all others name it.
     *
     * <p>Then the followers have read its lease.
     */
    private Saying settled() throws InterruptedException {
        long start = System.nanoTime();
        while (true) {
            var claim = lastClaim();
            if (claim.isPresent()
                    && sidecars.keySet().stream()
                            .allMatch(id -> output.lastOf(id).equals(claim.get().by()))) {
                return claim.get();
            }
            assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start))
                    .as("one whom all name; said: " + output.all())
                    .isLessThan(PATIENCE_MILLIS);
            new Semaphore(0).tryAcquire(5, TimeUnit.MILLISECONDS);
        }
    }

    private Optional<Saying> lastClaim() {
        return output.all().stream().filter(Saying::isClaim).reduce((one, later) -> later);
    }

    /** Returns the milliseconds until another sidecar claims leadership in a higher term. */
    private long gapAfter(long fromNanos, Saying last) throws InterruptedException {
        Saying next = output.await(
                "claim of another",
                fromNanos,
                PATIENCE_MILLIS,
                saying -> saying.isClaim() && saying.term() > last.term());
        return TimeUnit.NANOSECONDS.toMillis(next.nanos() - fromNanos);
    }

    private void nobodyOverlapped() {
        assertThat(output.overlaps()).as("overlaps; said: %s", output.all()).isEmpty();
    }

    private static void say(String fault, List<Long> gaps) {
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

    /** Reports that it is healthy, until it hangs. Then it accepts connections and does not answer. */
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
