package dev.doyen.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests the sidecar as a process, with leases in files. Each test checks a sentence of docs/reference/elector.md. */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(300)
final class ElectorProcessTest {

    private static final Pattern PORTS =
            Pattern.compile("API is on port ([0-9]+), probes are answered on port ([0-9]+)");

    /** A ttl that is longer than the time limit of a test. Only a released lease can be acquired in time. */
    private static final String LONG = "--ttl=60m";

    @TempDir
    private Path folder;

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<RunningDoyen> started = new ArrayList<>();
    private final List<Process> apps = new ArrayList<>();

    @AfterEach
    void end() throws InterruptedException {
        apps.forEach(Process::destroyForcibly);
        for (var each : started) {
            each.killHard();
        }
    }

    @Test
    void sigterm_releases_the_lease_and_exits_with_0() throws Exception {
        var first = start("first", LONG);
        first.awaitName("first");
        var second = start("second", LONG);
        second.awaitName("first");

        first.doyen.signal("TERM");

        assertThat(first.doyen.awaitExit()).isZero();
        second.awaitName("second");
    }

    @Test
    void in_a_plain_container_the_lease_is_kept_after_sigterm_until_the_app_port_is_closed() throws Exception {
        var port = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        var first = start("first", LONG, "--app-port=" + port.getLocalPort());
        first.awaitName("first");
        var second = start("second", LONG);
        second.awaitName("first");

        first.doyen.signal("TERM");
        first.awaitName("");
        assertThat(second.name()).isEqualTo("first");
        port.close();

        assertThat(first.doyen.awaitExit()).isZero();
        second.awaitName("second");
    }

    @Test
    void a_killed_sidecar_is_replaced_when_its_lease_has_expired() throws Exception {
        var first = start("first", "--ttl=5s");
        first.awaitName("first");
        var second = start("second", "--ttl=5s");
        second.awaitName("first");

        long killed = System.nanoTime();
        first.doyen.killHard();
        second.awaitName("second");

        // The lease of 5 s cannot expire within 2.5 s after the kill, because its last renewal was at most one second
        // before the kill, or two seconds on a busy machine.
        assertThat(Duration.ofNanos(System.nanoTime() - killed)).isGreaterThan(Duration.ofMillis(2_500));
    }

    @Test
    void the_end_of_the_app_lets_another_candidate_lead_at_once() throws Exception {
        assumeTrue(Files.isReadable(Path.of("/proc/self/stat")), "SKIPPED: no /proc on this machine");
        var app = new ProcessBuilder("sleep", "99").start();
        apps.add(app);
        var pidFile = Files.writeString(folder.resolve("app.pid"), app.pid() + "\n");
        var first = start("first", LONG, "--app-pid-file=" + pidFile);
        first.doyen.awaitOutput("the app runs");
        first.awaitName("first");
        var second = start("second", LONG);
        second.awaitName("first");

        app.destroyForcibly();
        // The second candidate leads long before the lease can expire.
        second.awaitName("second");
        first.awaitName("second");

        // After the app has restarted, the elector campaigns for it again.
        var again = new ProcessBuilder("sleep", "99").start();
        apps.add(again);
        Files.writeString(pidFile, again.pid() + "\n");
        first.doyen.awaitOutput("the app runs");
        second.doyen.signal("TERM");
        first.awaitName("first");
    }

    @Test
    void the_app_is_found_by_the_name_of_its_program() throws Exception {
        assumeTrue(Files.isReadable(Path.of("/proc/self/stat")), "SKIPPED: no /proc on this machine");
        var program = Files.copy(Path.of("/bin/sleep"), folder.resolve("an-app"));
        apps.add(new ProcessBuilder(program.toString(), "99").start());
        var first = start("first", LONG, "--app-command=an-app");
        first.doyen.awaitOutput("the app runs");
        first.awaitName("first");

        apps.get(0).destroyForcibly();

        first.doyen.awaitOutput("the app has ended");
        first.awaitName("");
    }

    @Test
    void an_unhealthy_app_is_replaced() throws Exception {
        var healthy = Files.createFile(folder.resolve("well"));
        var first = start("first", LONG, "--health-file=" + healthy, "--health-every=200ms");
        first.awaitName("first");
        var second = start("second", LONG);
        second.awaitName("first");

        Files.delete(healthy);

        second.awaitName("second");
        first.awaitName("second");
    }

    @Test
    void an_app_is_healthy_while_its_http_status_is_below_400_in_time() throws Exception {
        var status = new AtomicInteger(204);
        var hanging = new CountDownLatch(1);
        var app = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        try (var threads = new Closing(app, hanging)) {
            app.createContext("/healthz", exchange -> {
                try {
                    if (status.get() == 0) {
                        hanging.await();
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                exchange.sendResponseHeaders(status.get() == 0 ? 500 : status.get(), -1);
                exchange.close();
            });
            app.setExecutor(threads.executor);
            app.start();
            var url = "http://127.0.0.1:" + app.getAddress().getPort() + "/healthz";
            isReplacedWhileUnhealthyAndCampaignsAgain(
                    "--health-http=" + url, () -> status.set(503), () -> status.set(204));
            isReplacedWhileUnhealthyAndCampaignsAgain(
                    "--health-http=" + url, () -> status.set(0), () -> status.set(204));
        }
    }

    @Test
    void an_app_is_healthy_while_its_port_accepts_connections() throws Exception {
        var first = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        var port = first.getLocalPort();
        var again = new AtomicReference<ServerSocket>();
        isReplacedWhileUnhealthyAndCampaignsAgain(
                "--health-tcp=127.0.0.1:" + port,
                first::close,
                () -> again.set(new ServerSocket(port, 50, InetAddress.getLoopbackAddress())));
        again.get().close();
    }

    @Test
    void an_app_is_healthy_while_the_command_exits_with_0_in_time() throws Exception {
        var healthy = Files.createFile(folder.resolve("well"));
        isReplacedWhileUnhealthyAndCampaignsAgain(
                "--health-exec=test -e " + healthy, () -> Files.delete(healthy), () -> Files.createFile(healthy));
        // The next command reads a file. The test replaces the file by a pipe without a writer, so the command hangs.
        var pipe = folder.resolve("pipe");
        isReplacedWhileUnhealthyAndCampaignsAgain(
                "--health-exec=cat " + pipe,
                () -> {
                    Files.delete(pipe);
                    new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor();
                },
                () -> {
                    Files.delete(pipe);
                    Files.createFile(pipe);
                },
                () -> Files.createFile(pipe));
    }

    private interface AdminCommand {
        void run() throws Exception;
    }

    private void isReplacedWhileUnhealthyAndCampaignsAgain(String check, AdminCommand unhealthy, AdminCommand healthy)
            throws Exception {
        isReplacedWhileUnhealthyAndCampaignsAgain(check, unhealthy, healthy, () -> {});
    }

    private void isReplacedWhileUnhealthyAndCampaignsAgain(
            String check, AdminCommand unhealthy, AdminCommand healthy, AdminCommand before) throws Exception {
        before.run();
        var first = start("first", LONG, check, "--health-every=500ms", "--fall=3", "--rise=2");
        first.awaitName("first");
        var second = start("second", LONG);
        second.awaitName("first");

        unhealthy.run();
        second.awaitName("second");
        first.awaitName("second");
        healthy.run();
        second.doyen.signal("TERM");
        first.awaitName("first");

        first.doyen.signal("TERM");
        assertThat(first.doyen.awaitExit()).isZero();
        assertThat(second.doyen.awaitExit()).isZero();
    }

    /** Closes an HTTP server and its threads, including threads that hang in a request. */
    private static final class Closing implements AutoCloseable {
        private final ExecutorService executor = Executors.newCachedThreadPool();
        private final HttpServer app;
        private final CountDownLatch hanging;

        Closing(HttpServer app, CountDownLatch hanging) {
            this.app = app;
            this.hanging = hanging;
        }

        @Override
        public void close() {
            hanging.countDown();
            app.stop(0);
            executor.shutdownNow();
        }
    }

    @Test
    void a_store_outage_ends_the_leadership_in_time_but_no_process() throws Exception {
        var leases = folder.resolve("leases");
        var first = start("first", "--ttl=2s");
        first.awaitName("first");
        Files.move(leases, folder.resolve("elsewhere"));
        // A file replaces the folder, because the store would create a missing folder.
        Files.createFile(leases);

        first.awaitName("");
        assertThat(first.status("/healthz")).isEqualTo(200);

        Files.delete(leases);
        Files.move(folder.resolve("elsewhere"), leases);
        first.awaitName("first");
    }

    @Test
    void an_unavailable_store_is_waited_for_at_the_start() throws Exception {
        var leases = Files.createFile(folder.resolve("leases"));
        var first = start("first", "--ttl=15s");
        assertThat(first.name()).isEmpty();
        assertThat(first.status("/healthz")).isEqualTo(503);

        Files.delete(leases);

        first.awaitStarted();
        assertThat(first.name())
                .as("the leader is named before the app has started")
                .isEqualTo("first");
    }

    @Test
    void the_leader_of_a_non_expiring_lease_stays_during_a_store_outage() throws Exception {
        var leases = folder.resolve("leases");
        var first = start("first", "--ttl=5s", "--mode=non_expiring");
        first.awaitName("first");
        Files.move(leases, folder.resolve("elsewhere"));
        Files.createFile(leases);

        var lost = Pattern.compile("lost the leadership in term (\\d+)")
                .matcher(first.doyen.awaitOutput("lost the leadership in term "));
        assertThat(lost.find()).isTrue();
        assertThat(first.name()).isEqualTo("first");

        Files.delete(leases);
        Files.move(folder.resolve("elsewhere"), leases);
        first.doyen.awaitOutput("candidate=first leads in term " + (Long.parseLong(lost.group(1)) + 1));
        assertThat(first.name()).isEqualTo("first");
    }

    private Running start(String id, String... more) throws IOException, InterruptedException {
        var arguments = new ArrayList<>(List.of(
                "elector",
                "--election=e",
                "--id=" + id,
                "--store=file:" + folder.resolve("leases"),
                "--http=localhost:0",
                "--probe-address=localhost:0"));
        arguments.addAll(List.of(more));
        var doyen = RunningDoyen.start(arguments.toArray(String[]::new));
        started.add(doyen);
        var ports = PORTS.matcher(doyen.awaitOutput("API is on port"));
        assertThat(ports.find()).isTrue();
        return new Running(doyen, Integer.parseInt(ports.group(1)), Integer.parseInt(ports.group(2)));
    }

    private final class Running {
        private static final Pattern NAME = Pattern.compile(
                "\\{\"name\":\"([^\"]*)\",\"last_update\":\"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ\"}");

        private final RunningDoyen doyen;
        private final int port;
        private final int probePort;

        Running(RunningDoyen doyen, int port, int probePort) {
            this.doyen = doyen;
            this.port = port;
            this.probePort = probePort;
        }

        String name() throws IOException, InterruptedException {
            var body = http.send(request(port, "/"), BodyHandlers.ofString()).body();
            var matcher = NAME.matcher(body);
            assertThat(matcher.matches()).as(body).isTrue();
            return matcher.group(1);
        }

        int status(String path) throws IOException, InterruptedException {
            return http.send(request(probePort, path), BodyHandlers.ofString()).statusCode();
        }

        void awaitName(String expected) throws IOException, InterruptedException {
            long until = System.nanoTime() + Duration.ofSeconds(90).toNanos();
            var last = name();
            while (!last.equals(expected)) {
                if (System.nanoTime() - until > 0) {
                    throw new AssertionError(
                            "\"" + expected + "\" was not named in time; the last name is \"" + last + "\"");
                }
                new Semaphore(0).tryAcquire(20, TimeUnit.MILLISECONDS);
                last = name();
            }
        }

        /** Waits until a startup probe succeeds. */
        void awaitStarted() throws IOException, InterruptedException {
            long until = System.nanoTime() + Duration.ofSeconds(90).toNanos();
            while (status("/healthz") != 200) {
                assertThat(until - System.nanoTime())
                        .as("the startup probe succeeds in time")
                        .isPositive();
                new Semaphore(0).tryAcquire(20, TimeUnit.MILLISECONDS);
            }
        }

        private HttpRequest request(int at, String path) {
            return HttpRequest.newBuilder(URI.create("http://localhost:" + at + path))
                    .timeout(Duration.ofSeconds(90))
                    .build();
        }
    }
}
