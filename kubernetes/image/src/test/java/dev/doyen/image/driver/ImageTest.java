package dev.doyen.image.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.doyen.image.Program;
import dev.doyen.kubernetesserver.KubernetesServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads the images with other programs, and runs the images.
 *
 * <p>Each image runs with a read-only file system, as user 1069. The elector and the injector use a real API server.
 * Three members of the ring run on three addresses of this machine. The tests print the start time and the used memory,
 * but do not check these values. {@link HubImageTest} runs the image of the hub. The tests of a release check the files
 * of all images (testing/release).
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ImageTest {

    private static final Instant TIME = BuiltImages.TIME;
    private static final Path CHECKOUT = BuiltImages.CHECKOUT;

    private Path folder = CHECKOUT;
    private final List<KubernetesServer> servers = new ArrayList<>();

    @BeforeAll
    void use(@TempDir Path empty) {
        folder = empty;
    }

    @EachTestedImage
    void the_image_contains_its_start_command(Program program) throws Exception {
        var config = image(program).config().path("config");

        assertThat(config.path("User").asText()).isEqualTo("1069:1069");
        assertThat(config.path("WorkingDir").asText()).isEqualTo("/doyen");
        assertThat(config.path("ExposedPorts")).hasSameSizeAs(program.recipe().ports());
        assertThat(image(program).config().path("created").asText()).isEqualTo(TIME.toString());
        assertThat(image(program).root().resolve("doyen/runtime/bin/java")).isExecutable();
        assertThat(image(program).entrypoint())
                .startsWith(
                        "/doyen/runtime/bin/java",
                        "@/doyen/jvm.args",
                        program.recipe().mainClass());
    }

    @EachTestedImage
    void all_files_belong_to_root_have_one_time_and_are_read_only_for_others(Program program) throws Exception {
        assertThat(image(program).listing())
                .hasSizeGreaterThan(50)
                .allSatisfy(line -> assertThat(line)
                        .matches("(drwxr-xr-x|-rwxr-xr-x|-rw-r--r--) 0/0 +[0-9]+ 2026-11-21 00:00:00 .*"))
                // Only jspawnhelper and similar programs need to be executable, not libraries and data.
                .filteredOn(line -> line.startsWith("-rwx") && line.contains(" doyen/"))
                .allSatisfy(line -> assertThat(line).matches(".* doyen/runtime/(bin|lib)/[a-z]+"))
                .anySatisfy(line -> assertThat(line).endsWith(" doyen/runtime/bin/java"));
    }

    @Tag("long")
    @Test
    void the_same_files_give_the_same_bytes() throws Exception {
        var first = BuiltImages.of(Program.ELECTOR).made();
        var files = new ArrayList<>(first.files());
        Collections.reverse(files);
        var again = folder.resolve("again.tar");
        new ImageTar(first.root(), Files.createDirectory(folder.resolve("again")), TIME)
                .write(first.about(), files, again);

        assertThat(again).hasSameBinaryContentAs(first.tar());
    }

    @Test
    void a_class_archive_of_another_jar_is_rejected() throws Exception {
        var image = BuiltImages.of(Program.INJECTOR).made();
        var home = image.root().resolve("doyen");
        var archive = ClassArchive.ofImage(home, folder, TargetSystem.here());
        archive.check(ImageBuild.start(Program.INJECTOR.recipe()));
        Files.setLastModifiedTime(home.resolve("program.jar"), FileTime.from(TIME.plusSeconds(1)));

        assertThatThrownBy(() -> archive.check(ImageBuild.start(Program.INJECTOR.recipe())))
                .isInstanceOf(ImageRefusedException.class)
                .hasMessageStartingWith("starting with the class-data archive failed: ");
    }

    @Test
    void the_elector_reads_the_public_authorities_only_if_it_trusts_them() throws Exception {
        var security = image(Program.ELECTOR).root().resolve("doyen/runtime/lib/security");

        assertThat(security.resolve("cacerts")).doesNotExist();
        assertThat(security.resolve("jssecacerts")).isNotEmptyFile();
        assertThat(image(Program.HUB).root().resolve("doyen/runtime/lib/security/cacerts"))
                .isNotEmptyFile();
    }

    /**
     * Each node of a cluster downloads the image before its first app can start. The image has 30 MB. The limit leaves
     * room for updates of Java 17.
     */
    @Test
    void the_image_of_the_elector_is_smaller_than_31_megabytes() throws Exception {
        assumeThat(Runtime.version().feature()).as("a later Java is larger").isEqualTo(17);
        assertThat(BuiltImages.of(Program.ELECTOR).made().tar().toFile().length())
                .isLessThan(31_000_000);
    }

    /**
     * The option -Xshare:on ends a JVM that cannot use its archive. By default, the JVM would silently ignore the
     * archive.
     */
    @Test
    void nearly_all_classes_come_from_the_archive() throws Exception {
        var image = image(Program.ELECTOR);
        int port = freePort();
        var log = folder.resolve("classes.log");
        var entrypoint = image.entrypoint();
        var java = Stream.of(
                        List.of(
                                image.root() + entrypoint.get(0),
                                "@" + image.root() + entrypoint.get(1).substring(1),
                                "-Xshare:on",
                                "-Xlog:class+load:file=" + log),
                        entrypoint.subList(2, entrypoint.size()))
                .flatMap(List::stream)
                .toList();
        try (var elector = RunningProgram.start(
                image.root().resolve("doyen"),
                folder.resolve("elector.log"),
                Map.of("ELECTOR_LOG_FORMAT", "json"),
                java,
                List.of(
                        "--election=orders",
                        "--id=pod-a",
                        "--store=memory:",
                        "--http=localhost:" + port,
                        "--probe-address=localhost:0"))) {
            elector.whileItRuns("GET / names the pod", () -> get(port).contains("\"pod-a\""));
            elector.endByTerm();
        }
        // Classes that the JVM generates, such as the classes of lambdas, are not loaded from a file.
        var loaded = Files.readAllLines(log).stream()
                .filter(line -> line.contains(" source: ") && !line.contains("0x0") && !line.contains("$$Lambda"))
                .toList();
        var other = loaded.stream()
                .filter(line -> !line.contains("source: shared objects file"))
                .toList();

        assertThat(loaded).hasSizeGreaterThan(1_000);
        System.out.printf("%d classes, %d of them not from the archive%n", loaded.size(), other.size());
        // A JDK newer than 17 does not archive classes that were compiled for Java 5, such as the classes of picocli.
        assertThat(other.size()).as("%s", other).isLessThan(loaded.size() / 10);
    }

    @Test
    void the_elector_runs_read_only_against_a_real_api_server() throws Exception {
        var server = server();
        int port = freePort();
        try (var elector = Container.start(
                image(Program.ELECTOR),
                Container.Mount.account(account(server)),
                folder.resolve("elector-container.log"),
                inPod(server, "pod-a"),
                List.of(
                        "--election=orders",
                        "--election-namespace=default",
                        "--http=localhost:" + port,
                        "--probe-address=0.0.0.0:" + freePort()))) {
            Waiting.until("GET / answers: " + elector.output(), () -> !get(port).isEmpty());
            long answered = elector.ageMillis();
            Waiting.until("GET / names the pod", () -> get(port).contains("\"pod-a\""));
            long named = elector.ageMillis();

            assertThat(elector.status("Uid")).isEqualTo("1069\t1069\t1069\t1069");
            assertThat(elector.status("Gid")).isEqualTo("1069\t1069\t1069\t1069");
            var lease = server.send("GET", "/apis/coordination.k8s.io/v1/namespaces/default/leases/orders", "");
            assertThat(lease.body()).contains("\"holderIdentity\":\"pod-a\"");
            System.out.printf(
                    "doyen-elector: first answer after %d ms, leads after %d ms, VmRSS %s, RssAnon %s%n",
                    answered, named, elector.status("VmRSS"), elector.status("RssAnon"));
            assertThat(elector.endByTerm()).isZero();
        }
    }

    @Test
    void the_injector_runs_read_only_and_serves_a_real_api_server() throws Exception {
        var server = server();
        int port = freePort();
        server.make("/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations", """
            {"metadata": {"name": "doyen-injector"}, "webhooks": [{"name": "inject.elector.doyen.dev",
             "clientConfig": {"url": "https://localhost:%d/inject"}, "failurePolicy": "Fail",
             "sideEffects": "None", "admissionReviewVersions": ["v1"],
             "objectSelector": {"matchLabels": {"elector.doyen.dev/inject": "true"}},
             "rules": [{"operations": ["CREATE"], "apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods"]}]
            }]}\
            """.formatted(port));
        try (var injector = Container.start(
                image(Program.INJECTOR),
                Container.Mount.account(account(server)),
                folder.resolve("injector-container.log"),
                inPod(server, "injector-1"),
                List.of(
                        "--image=doyen-elector",
                        "--sidecar=plain",
                        "--listen=127.0.0.1:" + port,
                        "--certificate-host=localhost",
                        "--check-interval=1s"))) {
            Waiting.until("the webhook listens", () -> injector.output().contains("the webhook listens"));
            long listened = injector.ageMillis();
            for (int i = 0; i < 50; i++) {
                var made = server.send("POST", "/api/v1/namespaces/default/pods", """
                    {"metadata": {"name": "pod-%d", "labels": {"elector.doyen.dev/inject": "true"},
                      "annotations": {"elector.doyen.dev/election": "orders"}},
                     "spec": {"containers": [{"name": "app", "image": "app"}]}}\
                    """.formatted(i));
                assertThat(made.body()).contains("\"ELECTOR_GET_URL\"").contains("\"name\":\"elector\"");
            }
            assertThat(injector.status("Uid")).startsWith("1069\t1069");
            System.out.printf(
                    "doyen-injector: listens after %d ms, after 50 pods VmRSS %s, RssAnon %s%n",
                    listened, injector.status("VmRSS"), injector.status("RssAnon"));
        }
    }

    /**
     * Tests three members that find each other by a host name.
     *
     * <p>The members have the arguments of the example's manifest, with other addresses and ports.
     */
    @Tag("long")
    @Test
    void three_read_only_members_of_a_ring_elect_one() throws Exception {
        Container.assumePossible();
        var image = image(Program.RING);
        // In a pod, the container runtime writes this file.
        Files.writeString(image.root().resolve("etc/hosts"), "127.0.0.1 ring\n");
        int port = RingRehearsal.pairOfPorts();
        var http = List.of(freePort(), freePort(), freePort());
        var pods = new ArrayList<Container>();
        try {
            for (int i = 0; i < http.size(); i++) {
                pods.add(ringPod(image, i, port, http.get(i)));
                int own = http.get(i);
                var pod = pods.get(i);
                Waiting.until("GET / answers: " + pod.output(), () -> !get(own).isEmpty());
                System.out.printf("doyen-ring: first answer after %d ms%n", pod.ageMillis());
            }
            try {
                Waiting.until("all name one leader", () -> {
                    var named = new HashSet<String>();
                    for (int each : http) {
                        named.add(get(each).replaceFirst(",.*", ""));
                    }
                    return named.size() == 1 && named.iterator().next().contains("\"ring-");
                });
            } catch (IllegalStateException e) {
                for (var pod : pods) {
                    e.addSuppressed(new IllegalStateException(pod.output()));
                }
                throw e;
            }
            for (var pod : pods) {
                assertThat(pod.status("Uid")).isEqualTo("1069\t1069\t1069\t1069");
                System.out.printf(
                        "doyen-ring: of three after %d ms VmRSS %s, RssAnon %s%n",
                        pod.ageMillis(), pod.status("VmRSS"), pod.status("RssAnon"));
            }
            for (var pod : pods) {
                assertThat(pod.endByTerm()).as(pod.output()).isZero();
            }
        } finally {
            pods.forEach(Container::close);
        }
    }

    private Container ringPod(UnpackedImage image, int number, int port, int http) throws Exception {
        var volume = Files.createTempDirectory(folder, "secret");
        Files.writeString(volume.resolve("ring.secret"), "a secret of thirty-two characters");
        // Let the container's user read the volume, as the kubelet does.
        Files.setPosixFilePermissions(volume, PosixFilePermissions.fromString("rwxr-xr-x"));
        var arguments = new ArrayList<String>();
        for (var each : manifestArguments("ring.yaml")) {
            arguments.add(each.replace("$(POD_IP)", "127.0.0." + (number + 1))
                    .replace("$(POD_NAME)", "ring-" + number)
                    .replace(":7800", ":" + port)
                    .replace(":4041", ":0")
                    .replace("/secret/", Container.VOLUME + "/"));
        }
        arguments.add("--http=127.0.0.1:" + http);
        return Container.start(
                image, Container.Mount.volume(volume), folder.resolve("ring-" + number + ".log"), Map.of(), arguments);
    }

    /** Returns the arguments of the program in this manifest. */
    private static List<String> manifestArguments(String file) throws Exception {
        var lines = Files.readAllLines(
                CHECKOUT.resolve("examples/ring-on-kubernetes").resolve(file));
        int first = lines.indexOf("        args:") + 1;
        return lines.subList(first, lines.indexOf("        env:")).stream()
                .map(line -> line.replaceFirst("^ *- ", ""))
                .toList();
    }

    /**
     * Returns the API server, which all tests share because it starts slowly. Skips the test if the server is not
     * installed.
     */
    private KubernetesServer server() throws Exception {
        Container.assumePossible();
        if (servers.isEmpty()) {
            servers.add(KubernetesServer.start(Files.createTempDirectory(folder, "kubernetes")));
        }
        return servers.get(0);
    }

    @AfterAll
    void stop() {
        servers.forEach(KubernetesServer::close);
    }

    private static UnpackedImage image(Program program) throws Exception {
        return BuiltImages.of(program).unpacked();
    }

    private Path account(KubernetesServer server) throws Exception {
        var account = Files.createTempDirectory(folder, "account");
        // Let the container's user read the folder, as the kubelet does.
        assertThat(account.toFile().setExecutable(true, false)
                        && account.toFile().setReadable(true, false))
                .isTrue();
        Files.writeString(account.resolve("token"), server.adminToken());
        Files.copy(server.caFile(), account.resolve("ca.crt"));
        Files.writeString(account.resolve("namespace"), "default");
        return account;
    }

    private static Map<String, String> inPod(KubernetesServer server, String pod) {
        var api = URI.create(server.url());
        return Map.of(
                "KUBERNETES_SERVICE_HOST",
                api.getHost(),
                "KUBERNETES_SERVICE_PORT",
                Integer.toString(api.getPort()),
                "POD_NAME",
                pod,
                "POD_NAMESPACE",
                "default",
                "ELECTOR_LOG_FORMAT",
                "json");
    }

    private static String get(int port) throws Exception {
        var client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        return client.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"))
                                .timeout(Duration.ofSeconds(5))
                                .build(),
                        BodyHandlers.ofString())
                .body();
    }

    private static int freePort() throws Exception {
        return dev.doyen.testkit.ServerProcess.freePort();
    }
}
