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

/** Tests the operator's commands. The commands and the candidates are processes. */
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
        two.awaitSaying("waiting: ");
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
                .containsExactly("\"e\" is paused; \"two\" (term 2) is to step down", "paused: nobody leads now");
        var worked = Files.readString(log);

        var leader = doyen("leader", "e");
        assertThat(leader.awaitExit()).isEqualTo(1);
        assertThat(leader.restOfLines()).first().isEqualTo("leader    nobody");
        // Nothing was written while there was no leader, because the command had stopped before.
        assertThat(Files.readString(log)).isEqualTo(worked);

        var resume = doyen("resume", "e", "--json", "--by", "bob");
        assertThat(resume.awaitExit()).isZero();
        var said = resume.restOfLines();
        assertThat(said).hasSize(2);
        assertThat(json(said.get(0)).get("event").asText()).isEqualTo("resumed");
        assertThat(json(said.get(1)).get("event").asText()).isEqualTo("done");
        assertThat(json(said.get(1)).get("term").asLong()).isEqualTo(3);
        var next = json(said.get(1)).get("leader").asText();
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
    void a_leader_that_resigns_makes_room_for_another() throws Exception {
        candidate("one", folder.resolve("log")).awaitLine("working 1");
        candidate("two", folder.resolve("log")).awaitSaying("waiting: ");

        var resign = doyen("resign", "e");
        assertThat(resign.awaitExit()).isZero();
        assertThat(resign.restOfLines())
                .containsExactly("\"one\" (term 1) is asked to step down", "\"two\" leads now, in term 2");

        var already = doyen("transfer", "e", "two");
        assertThat(already.awaitExit()).isZero();
        assertThat(already.restOfLines()).containsExactly("\"two\" (term 2) leads already, so nothing was asked");
    }

    @Test
    void a_transfer_to_nobody_that_is_there_is_told_apart() throws Exception {
        candidate("one", folder.resolve("log")).awaitLine("working 1");
        candidate("two", folder.resolve("log")).awaitSaying("waiting: ");

        var transfer = doyen("transfer", "e", "three", "--wait", "30");
        assertThat(transfer.awaitExit()).isEqualTo(4);
        assertThat(transfer.restOfLines())
                .last()
                .asString()
                .endsWith(", for \"three\" did not take over; is it running and healthy?");
    }

    @Test
    void a_leader_that_died_is_named_at_first_and_found_out_with_certain() throws Exception {
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
    void somebody_who_comes_is_waited_for() throws Exception {
        var leader = doyen("leader", "e", "--wait", "2m");
        candidate("one", folder.resolve("log")).awaitLine("working 1");

        assertThat(leader.awaitExit()).isZero();
        assertThat(leader.restOfLines()).contains("leader    one");
    }

    @Test
    void nobody_led_has_a_code_of_its_own() throws Exception {
        for (var command : List.of(List.of("resign", "e"), List.of("transfer", "e", "two"))) {
            var asked = doyen(command.toArray(String[]::new));
            assertThat(asked.awaitExit()).as(command.toString()).isEqualTo(3);
            assertThat(asked.restOfLines()).containsExactly("nobody leads, so nothing was asked");
        }
        var resume = doyen("resume", "e");
        assertThat(resume.awaitExit()).isZero();
        assertThat(resume.restOfLines()).containsExactly("\"e\" is not paused, so nothing was changed");
    }

    @Test
    void an_election_never_led_can_be_paused_and_resumed_without_a_candidate() throws Exception {
        assertThat(doyen("pause", "e").awaitExit()).isZero();
        var resume = doyen("resume", "e", "-w", "0.2");
        assertThat(resume.awaitExit()).isEqualTo(4);
        assertThat(resume.restOfLines()).last().asString().contains("nobody was seen to lead within 200 ms");
    }

    @Test
    void a_doctor_finds_a_file_store_well_and_a_memory_store_unfit_to_fence_with() throws Exception {
        var well = doyen("doctor", "--clocks", "200ms", "--ttl", "60m");
        assertThat(well.restOfLines())
                .anyMatch(line -> line.startsWith("ok    conformance"))
                .anyMatch(line -> line.startsWith("ok    watch"))
                .endsWith("All checks passed.");
        assertThat(well.awaitExit()).isZero();

        var forgetful = start("doctor", "--store", "memory:", "--clocks", "0s", "--ttl", "60m");
        assertThat(forgetful.awaitExit()).isEqualTo(1);
        var unfit = start(
                "doctor", "--store", "memory:", "--clocks", "0s", "--ttl", "60m", "--fencing", "required", "--json");
        assertThat(unfit.awaitExit()).isEqualTo(2);
        assertThat(unfit.restOfLines().stream().map(OperatorProcessTest::json))
                .anyMatch(check -> check.get("check").asText().equals("terms")
                        && check.get("verdict").asText().equals("fail"))
                .anyMatch(check -> check.get("check").asText().equals("latency")
                        && check.get("writeMedianMicros").isNumber());
    }

    @Test
    void a_doctor_looks_at_an_election_too() throws Exception {
        doyen("pause", "e", "--by", "bob").awaitExit();
        var doctor = doyen("doctor", "e", "--clocks", "0s", "--ttl", "60m");

        assertThat(doctor.awaitExit()).isEqualTo(1);
        assertThat(doctor.restOfLines())
                .anyMatch(line -> line.startsWith("warn  pause        paused by bob"))
                .anyMatch(line -> line.contains("-> doyen resume e ends the pause"));
    }

    @Test
    void a_store_that_cannot_be_used_is_1_but_a_doctors_finding() throws Exception {
        var file = "file:" + Files.createFile(folder.resolve("file"));
        var leader = start("leader", "e", "--store", file);
        assertThat(leader.awaitExit()).isEqualTo(1);
        assertThat(leader.everythingSaid()).startsWith("doyen: The store cannot be used: ");
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

    /** Returns the events that a watch has printed, up to the line with the third term. */
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
