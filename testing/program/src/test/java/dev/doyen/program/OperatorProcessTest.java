package dev.doyen.program;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests the operator's commands. The commands and the candidates are separate processes. */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(300)
final class OperatorProcessTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path folder;

    private final List<RunningDoyen> started = new ArrayList<>();

    @AfterEach
    void end() throws InterruptedException {
        for (var running : started) {
            running.close();
        }
    }

    @Test
    void the_command_moves_by_transfer_stops_by_pause_and_starts_again_by_resume() throws Exception {
        var log = folder.resolve("log");
        var one = candidate("one", log);
        one.awaitLine("working 1");
        var two = candidate("two", log);
        two.awaitOutput("waiting: ");
        var watch = doyen("watch", "e", "--json");
        assertThat(json(watch.awaitLine("{")).get("leader").asText()).isEqualTo("one");

        var transfer = doyen("transfer", "e", "two", "--by", "alice", "--reason", "upgrade");
        assertThat(transfer.awaitExit()).isZero();
        assertThat(transfer.restOfLines())
                .containsExactly("\"one\" (term 1) is asked to hand over to \"two\"", "\"two\" leads now, in term 2");
        two.awaitLine("working 2");

        var pause = doyen("pause", "e", "--by", "bob", "--reason", "backup");
        assertThat(pause.awaitExit()).isZero();
        assertThat(pause.restOfLines())
                .containsExactly("\"e\" is paused; \"two\" (term 2) is to step down", "paused: no candidate leads now");
        var worked = Files.readString(log);

        var leader = doyen("leader", "e");
        assertThat(leader.awaitExit()).isEqualTo(1);
        assertThat(leader.restOfLines()).first().isEqualTo("leader    nobody");
        // The leader's command ended before "pause" reported that no candidate leads. So the command has written
        // nothing since then.
        assertThat(Files.readString(log)).isEqualTo(worked);

        var resume = doyen("resume", "e", "--json", "--by", "bob");
        assertThat(resume.awaitExit()).isZero();
        var output = resume.restOfLines();
        assertThat(output).hasSize(2);
        assertThat(json(output.get(0)).get("event").asText()).isEqualTo("resumed");
        assertThat(json(output.get(1)).get("event").asText()).isEqualTo("done");
        assertThat(json(output.get(1)).get("term").asLong()).isEqualTo(3);
        var next = json(output.get(1)).get("leader").asText();
        (next.equals("one") ? one : two).awaitLine("working 3");

        assertThat(events(watch)).containsSubsequence("paused", "nobody", "resumed", "leader");
        var history = doyen("history", "e", "--json");
        assertThat(history.restOfLines().stream().map(OperatorProcessTest::json))
                .extracting(term ->
                        term.get("term").asLong() + " " + term.path("end").asText("now"))
                .containsExactly("3 now", "2 paused", "1 transferred");
        assertThat(history.awaitExit()).isZero();
    }

    @Test
    void a_leader_that_resigns_is_replaced() throws Exception {
        candidate("one", folder.resolve("log")).awaitLine("working 1");
        candidate("two", folder.resolve("log")).awaitOutput("waiting: ");

        var resign = doyen("resign", "e");
        assertThat(resign.awaitExit()).isZero();
        assertThat(resign.restOfLines())
                .containsExactly("\"one\" (term 1) is asked to step down", "\"two\" leads now, in term 2");

        var already = doyen("transfer", "e", "two");
        assertThat(already.awaitExit()).isZero();
        assertThat(already.restOfLines()).containsExactly("\"two\" (term 2) leads already, so no command was sent");
    }

    @Test
    void a_transfer_to_a_missing_candidate_has_its_own_exit_code() throws Exception {
        candidate("one", folder.resolve("log")).awaitLine("working 1");
        candidate("two", folder.resolve("log")).awaitOutput("waiting: ");

        var transfer = doyen("transfer", "e", "three", "--wait", "30");
        assertThat(transfer.awaitExit()).isEqualTo(4);
        assertThat(transfer.restOfLines())
                .last()
                .asString()
                .endsWith(", because \"three\" did not take over; is it running and healthy?");
    }

    @Test
    void a_dead_leader_is_reported_without_certain_and_detected_with_certain() throws Exception {
        var one = candidate("one", folder.resolve("log"));
        one.awaitLine("working 1");
        var alive = doyen("leader", "e", "--certain");
        assertThat(alive.awaitExit()).isZero();
        assertThat(alive.restOfLines()).contains("leader    one", "term      1");
        one.killHard();

        var named = doyen("leader", "e", "--json");
        assertThat(named.awaitExit()).isZero();
        assertThat(json(named.restOfLines().get(0)).get("state").asText()).isEqualTo("named");
        var found = doyen("leader", "e", "--certain", "--json", "-E", "9");
        assertThat(found.awaitExit()).isEqualTo(9);
        assertThat(json(found.restOfLines().get(0)).get("state").asText()).isEqualTo("expired");

        var pending = doyen("resign", "e", "--wait", "0.3");
        assertThat(pending.awaitExit()).isEqualTo(4);
        assertThat(pending.restOfLines()).last().asString().contains("still leads after 300 ms");
    }

    @Test
    void the_command_waits_for_a_leader() throws Exception {
        var leader = doyen("leader", "e", "--wait", "2m");
        candidate("one", folder.resolve("log")).awaitLine("working 1");

        assertThat(leader.awaitExit()).isZero();
        assertThat(leader.restOfLines()).contains("leader    one");
    }

    @Test
    void the_absence_of_a_leader_has_its_own_exit_code() throws Exception {
        for (var command : List.of(List.of("resign", "e"), List.of("transfer", "e", "two"))) {
            var process = doyen(command.toArray(String[]::new));
            assertThat(process.awaitExit()).as(command.toString()).isEqualTo(3);
            assertThat(process.restOfLines()).containsExactly("no candidate leads, so no command was sent");
        }
        var resume = doyen("resume", "e");
        assertThat(resume.awaitExit()).isZero();
        assertThat(resume.restOfLines()).containsExactly("\"e\" is not paused, so the command changed nothing");
    }

    @Test
    void a_new_election_can_be_paused_and_resumed_without_a_candidate() throws Exception {
        assertThat(doyen("pause", "e").awaitExit()).isZero();
        var resume = doyen("resume", "e", "-w", "0.2");
        assertThat(resume.awaitExit()).isEqualTo(4);
        assertThat(resume.restOfLines()).last().asString().contains("no candidate took over within 200 ms");
    }

    @Test
    void doctor_accepts_a_file_store_and_rejects_fencing_with_a_memory_store() throws Exception {
        var well = doyen("doctor", "--clocks", "200ms", "--ttl", "60m");
        assertThat(well.restOfLines())
                .anyMatch(line -> line.startsWith("ok    conformance"))
                .anyMatch(line -> line.startsWith("ok    watch"))
                .endsWith("All checks passed.");
        assertThat(well.awaitExit()).isZero();

        var forgetful = start("doctor", "--store", "memory:", "--clocks", "0s", "--ttl", "60m");
        assertThat(forgetful.awaitExit()).isEqualTo(1);
        var failed = start(
                "doctor", "--store", "memory:", "--clocks", "0s", "--ttl", "60m", "--fencing", "required", "--json");
        assertThat(failed.awaitExit()).isEqualTo(2);
        assertThat(failed.restOfLines().stream().map(OperatorProcessTest::json))
                .anyMatch(check -> check.get("check").asText().equals("terms")
                        && check.get("verdict").asText().equals("fail"))
                .anyMatch(check -> check.get("check").asText().equals("latency")
                        && check.get("writeMedianMicros").isNumber());
    }

    @Test
    void doctor_checks_an_election() throws Exception {
        doyen("pause", "e", "--by", "bob").awaitExit();
        var doctor = doyen("doctor", "e", "--clocks", "0s", "--ttl", "60m");

        assertThat(doctor.awaitExit()).isEqualTo(1);
        assertThat(doctor.restOfLines())
                .anyMatch(line -> line.startsWith("warn  pause        paused by bob"))
                .anyMatch(line -> line.contains("-> doyen resume e ends the pause"));
    }

    @Test
    void an_unusable_store_is_exit_code_1_and_a_finding_of_doctor() throws Exception {
        var file = "file:" + Files.createFile(folder.resolve("file"));
        var leader = start("leader", "e", "--store", file);
        assertThat(leader.awaitExit()).isEqualTo(1);
        assertThat(leader.output()).startsWith("doyen: The store cannot be used: ");
        assertThat(leader.restOfLines()).isEmpty();

        var doctor = start("doctor", "--store", file);
        assertThat(doctor.awaitExit()).isEqualTo(2);
        assertThat(doctor.restOfLines()).first().asString().startsWith("fail  store        it cannot be used: ");
    }

    private RunningDoyen candidate(String id, Path log) throws IOException {
        return doyen(
                "run",
                "e",
                "--id",
                id,
                "--ttl",
                "10s",
                "--",
                "sh",
                "-c",
                "echo working $DOYEN_TERM; while :; do echo $DOYEN_TERM >> \"$1\"; sleep 0.02; done",
                "sh",
                log.toString());
    }

    private RunningDoyen doyen(String... arguments) throws IOException {
        var all = new ArrayList<>(List.of(arguments));
        all.addAll(1, List.of("--store", "file:" + folder.resolve("store")));
        return start(all.toArray(String[]::new));
    }

    private RunningDoyen start(String... arguments) throws IOException {
        var running = RunningDoyen.start(arguments);
        started.add(running);
        return running;
    }

    /** Returns the events that {@code doyen watch} has printed, up to the line with the third term. */
    private static List<String> events(RunningDoyen watch) throws InterruptedException {
        var events = new ArrayList<String>();
        for (var line = json(watch.awaitLine("{")); ; line = json(watch.awaitLine("{"))) {
            events.add(line.get("event").asText());
            if (line.path("term").asLong() == 3) {
                return events;
            }
        }
    }

    private static JsonNode json(String line) {
        try {
            return JSON.readTree(line);
        } catch (IOException e) {
            throw new AssertionError("not JSON: " + line, e);
        }
    }
}
