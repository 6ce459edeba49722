package dev.doyen.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.store.LeaseStore;
import dev.doyen.testkit.HeldPorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the program on a quorum of three members in this JVM.
 *
 * <p>The candidates, the sidecar and the operator's commands are separate processes, which are clients of the quorum.
 */
@Timeout(300)
final class OperatorOnQuorumTest {

    private static final Pattern ELECTOR_PORT = Pattern.compile("API is on port ([0-9]+)");

    @TempDir
    private Path folder;

    private final List<RunningDoyen> started = new ArrayList<>();
    private final List<LeaseStore> members = new ArrayList<>();
    private String clients = "";

    @BeforeEach
    void found() {
        try (var ports = HeldPorts.withAnother(1)) {
            List<Integer> taken = ports.take(3);
            clients = "quorum://"
                    + taken.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
            for (int port : taken) {
                ports.release(port);
                members.add(LeaseStore.open(
                        clients + folder.resolve("member-" + port) + "?timeout-millis=500&id=127.0.0.1:" + port));
            }
        }
    }

    @AfterEach
    void end() throws InterruptedException {
        for (var running : started) {
            running.close();
        }
        members.forEach(LeaseStore::close);
    }

    @Test
    void candidates_and_commands_work_through_the_members() throws Exception {
        var one = candidate("one");
        one.awaitLine("working 1");
        var two = candidate("two");
        two.awaitOutput("waiting: ");
        var watch = doyen("watch", "e", "--json");
        assertThat(watch.awaitLine("{")).contains("\"leader\":\"one\"");

        assertThat(lines("transfer", "e", "two", "--by", "alice"))
                .containsExactly("\"one\" (term 1) is asked to hand over to \"two\"", "\"two\" leads now, in term 2");
        two.awaitLine("working 2");
        watch.awaitLine("\"leader\":\"two\"");

        assertThat(lines("pause", "e", "--by", "bob"))
                .containsExactly("\"e\" is paused; \"two\" (term 2) is to step down", "paused: no candidate leads now");
        assertThat(lines("leader", "e")).first().isEqualTo("leader    nobody");
        assertThat(lines("resume", "e", "--by", "bob")).last().asString().contains("leads now, in term 3");
        assertThat(lines("history", "e", "--json")).hasSize(3);
    }

    @Test
    void the_sidecar_reports_the_leader_and_the_doctor_reports_no_fault() throws Exception {
        var elector =
                doyen("elector", "--election=e", "--id=pod-1", "--http=localhost:0", "--probe-address=localhost:0");
        var port = ELECTOR_PORT.matcher(elector.awaitOutput("API is on port"));
        assertThat(port.find()).isTrue();
        awaitAnswer(URI.create("http://localhost:" + port.group(1) + "/"), "\"name\":\"pod-1\"");

        // The exit code is not checked, because the doctor advises a longer ttl if store calls are slow on a busy
        // machine. All other checks must succeed.
        var doctor = doyen("doctor", "--ttl", "10m", "--fencing", "required");
        var unused = doctor.awaitExit();
        var lines = doctor.restOfLines();
        assertThat(lines).noneMatch(line -> line.startsWith("fail"));
        assertThat(String.join("\n", lines))
                .contains("elections in it extend to the members of the quorum and their clients")
                .contains("the store never loses a confirmed term")
                .contains("compare-and-set is correct, alone and in a race")
                .contains("own writes are announced");
    }

    private RunningDoyen candidate(String id) throws IOException {
        return doyen("run", "e", "--id", id, "--ttl", "10s", "--", "sh", "-c", "echo working $DOYEN_TERM; sleep 1000");
    }

    private List<String> lines(String... arguments) throws Exception {
        var command = doyen(arguments);
        var unused = command.awaitExit();
        return command.restOfLines();
    }

    private RunningDoyen doyen(String... arguments) throws IOException {
        var all = new ArrayList<>(List.of(arguments));
        all.addAll(1, List.of("--store", clients + "?timeout-millis=10000"));
        var running = RunningDoyen.start(all.toArray(String[]::new));
        started.add(running);
        return running;
    }

    private static void awaitAnswer(URI uri, String part) throws IOException, InterruptedException {
        HttpClient http = HttpClient.newHttpClient();
        String body = "";
        long start = System.nanoTime();
        while (!body.contains(part)) {
            assertThat(System.nanoTime() - start)
                    .as("the last answer was " + body)
                    .isLessThan(TimeUnit.SECONDS.toNanos(90));
            new Semaphore(0).tryAcquire(20, TimeUnit.MILLISECONDS);
            body = http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                    .body();
        }
    }
}
