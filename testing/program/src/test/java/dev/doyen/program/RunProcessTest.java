package dev.doyen.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.doyen.Election;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests {@code doyen run} as a process with real commands. Each test checks a row of docs/reference/doyen-run.md.
 *
 * <p>This class is long because the page has many rows, and readers compare the class with the page.
 */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(300)
final class RunProcessTest {

    /**
     * A command that appends its term to a log again and again. It represents a job that only one process at a time may
     * run.
     */
    private static final String WORK =
            "echo working $DOYEN_TERM $$; while :; do echo $DOYEN_TERM >> \"$1\"; sleep 0.02; done";

    /**
     * A ttl for tests that wait until a lease expires. A process that is frozen for most of this time loses its lease.
     */
    private static final String TTL = "5s";

    /** A ttl for a command that must react to SIGTERM before its lease expires, with {@link #LONG_GRACE}. */
    private static final String LONG_TTL = "40s";

    /** The time between SIGTERM and SIGKILL for such a command. It is the longest that the ttl permits. */
    private static final String LONG_GRACE = "16s";

    @TempDir
    private Path folder;

    private final List<RunningDoyen> started = new ArrayList<>();

    @AfterEach
    void end() throws InterruptedException {
        for (var run : started) {
            run.close();
        }
    }

    @Test
    void the_exit_code_is_that_of_the_command() throws Exception {
        assertThat(run("--", "sh", "-c", "exit 7").awaitExit()).isEqualTo(7);
        assertThat(run("--", "true").awaitExit()).isZero();
    }

    @Test
    void a_command_ended_by_a_signal_exits_with_128_and_its_number() throws Exception {
        assertThat(run("--", "sh", "-c", "kill -USR1 $$").awaitExit()).isEqualTo(138);
    }

    @Test
    void the_next_candidate_starts_at_once_when_the_command_has_ended() throws Exception {
        var first = run("--ttl", "60m", "--", "sh", "-c", "echo ready; read line");
        first.awaitLine("ready");
        var second = run("--ttl", "60m", "--", "echo", "mine");
        second.awaitOutput("waiting: ");
        first.type("\n");

        // The lease lasts an hour. If the first process did not release it, this test would time out.
        second.awaitLine("mine");
        assertThat(second.awaitExit()).isZero();
    }

    @Test
    void arguments_are_passed_unchanged() throws Exception {
        var run = run("--", "printf", "<%s>\\n", "@file", "--", "-n", "$HOME", "a  b", "\"q\"", "");

        assertThat(run.restOfLines()).containsExactly("<@file>", "<-->", "<-n>", "<$HOME>", "<a  b>", "<\"q\">", "<>");
        assertThat(run.awaitExit()).isZero();
        assertThat(run.output()).isEmpty();
    }

    @Test
    void the_command_gets_the_term_in_its_environment() throws Exception {
        var first = run("--", "sh", "-c", "echo led $DOYEN_TERM");
        long term = termIn(first.awaitLine("led "));
        first.awaitExit();
        var run = run(
                "--id",
                "me",
                "--",
                "sh",
                "-c",
                "echo led $DOYEN_TERM; echo $DOYEN_LEADER $DOYEN_ELECTION $DOYEN_TERM $DOYEN_FENCE $DOYEN_CANDIDATE");

        long next = termIn(run.awaitLine("led "));
        assertThat(next).isGreaterThan(term);
        assertThat(run.restOfLines()).containsExactly("1 e " + next + " " + next + " me");
    }

    @Test
    void the_command_gets_no_secret_of_doyen() throws Exception {
        var builder = new ProcessBuilder(RunningDoyen.commandLine(
                "run", "e", "--store", store(), "--", "sh", "-c", "env | grep -c hush; echo $DOYEN_OTHER"));
        for (String name :
                List.of("DOYEN_STORE_PASSWORD", "DOYEN_KEY", "DOYEN_KEYS", "DOYEN_ADMIN_KEY", "DOYEN_RING_SECRET")) {
            builder.environment().put(name, "hush");
        }
        builder.environment().put("DOYEN_OTHER", "kept");
        try (var run = new RunningDoyen(builder)) {
            assertThat(run.restOfLines()).containsExactly("0", "kept");
        }
    }

    @Test
    void saved_state_is_passed_to_the_next_command() throws Exception {
        run("--", "sh", "-c", "printf 41 > $DOYEN_STATE_FILE").awaitExit();
        var second = run("--", "sh", "-c", "echo found $(cat $DOYEN_STATE_FILE) $DOYEN_STATE_FILE");

        var found = second.awaitLine("found").split(" ", -1);
        assertThat(found[1]).isEqualTo("41");
        assertThat(second.awaitExit()).isZero();
        assertThat(Path.of(found[2]).getParent()).doesNotExist();
    }

    @Test
    void state_saved_while_the_command_runs_survives_kill_9() throws Exception {
        var first = run(
                "--ttl",
                TTL,
                "--",
                "sh",
                "-c",
                "printf 41 > $DOYEN_STATE_FILE.new; mv $DOYEN_STATE_FILE.new $DOYEN_STATE_FILE; echo ready; exec sleep 99");
        first.awaitLine("ready");
        var lease = awaitInStore("NDE=");
        assertThat(lease).contains("NDE=");
        first.killHard();

        run("--ttl", TTL, "--", "sh", "-c", "echo found $(cat $DOYEN_STATE_FILE)")
                .awaitLine("found 41");
    }

    @Test
    void state_that_is_too_large_is_rejected_and_the_old_one_is_kept() throws Exception {
        run("--", "sh", "-c", "printf 41 > $DOYEN_STATE_FILE").awaitExit();
        var second = run("--", "sh", "-c", "head -c 65537 /dev/zero > $DOYEN_STATE_FILE; exit 3");
        assertThat(second.awaitExit()).isEqualTo(3);
        assertThat(second.output()).contains("65537 bytes; at most 65536");

        run("--", "sh", "-c", "echo found $(cat $DOYEN_STATE_FILE)").awaitLine("found 41");
    }

    @Test
    void a_missing_command_is_127_and_the_lease_is_released() throws Exception {
        var early = run("--", "no-such-command");
        assertThat(early.awaitExit()).isEqualTo(127);
        assertThat(early.output()).contains("\"no-such-command\" was not found in PATH");

        // The command's file is deleted while doyen waits, and doyen detects the deletion only after its election. It
        // must then release its lease, which would otherwise last an hour.
        var tool = executable("tool");
        var first = run("--ttl", "60m", "--", "sh", "-c", "echo ready; read line");
        first.awaitLine("ready");
        var second = run("--ttl", "60m", "--", tool.toString());
        second.awaitOutput("waiting: ");
        Files.delete(tool);
        first.type("\n");
        assertThat(second.awaitExit()).isEqualTo(127);
        assertThat(second.output()).contains("was not found");
        run("--ttl", "60m", "--", "echo", "free").awaitLine("free");
    }

    @Test
    void a_command_that_cannot_be_run_is_126() throws Exception {
        var tool = executable("tool");
        Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rw-r--r--"));
        var run = run("--", tool.toString());

        assertThat(run.awaitExit()).isEqualTo(126);
        assertThat(run.output()).contains("not executable; allow it by chmod +x");
    }

    @Test
    void sigterm_is_forwarded_and_the_exit_code_of_the_command_is_returned() throws Exception {
        var run = run("--", "sh", "-c", "trap 'echo told; exit 9' TERM; echo ready; while :; do sleep 0.05; done");
        run.awaitLine("ready");
        run.signal("TERM");

        run.awaitLine("told");
        assertThat(run.awaitExit()).isEqualTo(9);
    }

    @Test
    void a_command_that_does_not_handle_sigterm_exits_with_143() throws Exception {
        var run = run("--", "sh", "-c", "echo ready; exec sleep 99");
        run.awaitLine("ready");

        assertThat(run.signal("TERM").awaitExit()).isEqualTo(143);
    }

    @Test
    void a_command_that_ignores_sigterm_is_killed_after_the_grace() throws Exception {
        var run = run("--grace", "300ms", "--", "sh", "-c", "trap '' TERM; echo ready; while :; do sleep 1; done");
        run.awaitLine("ready");

        assertThat(run.signal("TERM").awaitExit()).isEqualTo(137);
        assertThat(run.output()).contains("killing the processes of the command");
    }

    @Test
    void a_second_sigterm_kills_at_once() throws Exception {
        var run = run(
                "--grace", "60m", "--", "sh", "-c", "trap 'echo told' TERM; echo ready; while :; do sleep 0.05; done");
        run.awaitLine("ready");
        run.signal("TERM").awaitLine("told");

        assertThat(run.signal("TERM").awaitExit()).isEqualTo(137);
    }

    @ParameterizedTest
    @CsvSource({"HUP", "USR1", "USR2", "WINCH"})
    void other_signals_are_forwarded_and_the_command_continues(String signal) throws Exception {
        var run = run(
                "--grace",
                "0ms",
                "--",
                "sh",
                "-c",
                "trap 'echo told' " + signal + "; echo ready; while :; do sleep 0.05; done");
        run.awaitLine("ready");
        run.signal(signal).awaitLine("told");
        run.signal(signal).awaitLine("told");
    }

    @Test
    void ctrl_c_in_a_terminal_reaches_the_command_once() throws Exception {
        var run = inTerminal("--", "sh", "-c", "trap 'echo told' INT; echo ready; until read line; do :; done; exit 9");
        run.awaitLine("ready");
        run.type("\u0003");
        run.awaitLine("told");
        run.type("end\n");

        assertThat(run.awaitExit()).isEqualTo(9);
        assertThat(run.restOfLines()).noneMatch(line -> line.contains("told"));
    }

    @Test
    void the_command_reads_the_terminal() throws Exception {
        var run = inTerminal("--", "sh", "-c", "echo ready; read line; test -t 0 && echo terminal says $line");
        run.awaitLine("ready");
        run.type("hello\n");

        run.awaitLine("terminal says hello");
        assertThat(run.awaitExit()).isZero();
    }

    @Test
    void ctrl_c_while_waiting_ends_the_wait() throws Exception {
        leader();
        var run = inTerminal("--", "echo", "mine");
        run.awaitLine("doyen: waiting");
        run.type("\u0003");

        assertThat(run.awaitExit()).isEqualTo(130);
    }

    @ParameterizedTest
    @CsvSource({"TERM,143", "INT,130", "HUP,129"})
    void a_signal_while_waiting_ends_the_wait(String signal, int code) throws Exception {
        leader();
        var run = run("--", "echo", "mine");
        run.awaitOutput("waiting: \"first\" leads election \"e\" in term 1");

        assertThat(run.signal(signal).awaitExit()).isEqualTo(code);
        assertThat(run.restOfLines()).isEmpty();
    }

    @Test
    void processes_started_by_the_command_end_with_it() throws Exception {
        var hold = new DescendantsPipe(folder);
        var run = run(
                "--grace",
                "300ms",
                "--",
                "sh",
                "-c",
                hold.taken() + "(trap '' TERM HUP; echo child; while :; do sleep 1; done) & sleep 0.2; exit 4");
        run.awaitLine("child");

        assertThat(run.awaitExit()).isEqualTo(4);
        hold.awaitReleased();
        assertThat(run.output()).contains("killing the processes of the command");
    }

    @Test
    void a_daemon_that_left_the_session_is_ended() throws Exception {
        var hold = new DescendantsPipe(folder);
        var run = run(
                "--json",
                "--",
                "sh",
                "-c",
                hold.taken() + "setsid -f sh -c 'echo daemon; exec sleep 99'; read line; exit 6");
        run.awaitLine("daemon");
        run.type("\n");

        assertThat(run.awaitExit()).isEqualTo(6);
        hold.awaitReleased();
        assertThat(run.output()).contains("\"event\":\"left-behind\"");
    }

    @Test
    void kill_9_of_doyen_ends_the_command_and_its_processes() throws Exception {
        var hold = new DescendantsPipe(folder);
        // The lease lasts an hour, so it cannot expire during the test.
        var run = run(
                "--ttl",
                "60m",
                "--",
                "sh",
                "-c",
                hold.taken()
                        + "(sleep 99 & wait) & setsid -f sh -c 'echo daemon; exec sleep 99'; read line; echo; exec sleep 99");
        run.awaitLine("daemon");
        run.killHard();

        hold.awaitReleased();
    }

    @Test
    void kill_9_of_doyen_and_its_watchdog_ends_the_command() throws Exception {
        assumeTrue(
                Files.exists(Path.of("/usr/bin/setpriv")),
                "SKIPPED: no setpriv(1) on this machine; install util-linux");
        var hold = new DescendantsPipe(folder);
        var run = run("--ttl", "60m", "--", "sh", "-c", hold.taken() + "echo ready; exec sleep 99");
        run.awaitLine("ready");
        run.killWatchdog();
        run.killHard();

        hold.awaitReleased();
    }

    @Test
    void after_kill_9_of_doyen_another_candidate_leads_when_the_lease_has_expired() throws Exception {
        var log = folder.resolve("log");
        var first = run("--ttl", TTL, "--", "sh", "-c", WORK, "work", log.toString());
        long term = termIn(first.awaitLine("working "));
        var second = run("--ttl", TTL, "--", "sh", "-c", WORK, "work", log.toString());
        second.awaitOutput("waiting: ");
        first.killHard();

        assertThat(termIn(second.awaitLine("working "))).isGreaterThan(term);
        assertThat(second.signal("TERM").awaitExit()).isEqualTo(143);
        assertNoOverlap(log);
    }

    @Test
    void the_command_of_a_frozen_doyen_ends_before_another_starts() throws Exception {
        var log = folder.resolve("log");
        var first = run("--ttl", TTL, "--id", "first", "--", "sh", "-c", WORK, "work", log.toString());
        long term = termIn(first.awaitLine("working "));
        var second = run("--ttl", TTL, "--id", "second", "--", "sh", "-c", WORK, "work", log.toString());
        second.awaitOutput("waiting: ");
        first.signal("STOP");
        long next = termIn(second.awaitLine("working "));
        assertThat(next).isGreaterThan(term);
        first.signal("CONT");

        first.awaitOutput("was suspended or delayed; the watchdog killed the command");
        first.awaitOutput("waiting: \"second\" leads");
        assertThat(second.signal("TERM").awaitExit()).isEqualTo(143);
        assertThat(termIn(first.awaitLine("working "))).isGreaterThan(next);
        assertThat(first.signal("TERM").awaitExit()).isEqualTo(143);
        assertNoOverlap(log);
    }

    @Test
    void a_store_outage_stops_the_command_before_the_lease_expires() throws Exception {
        var run = run(
                "--ttl",
                LONG_TTL,
                "--stop-before",
                LONG_GRACE,
                "--grace",
                LONG_GRACE,
                "--",
                "sh",
                "-c",
                "trap 'echo told $DOYEN_TERM; exit 0' TERM; echo ready $DOYEN_TERM; while :; do sleep 0.05; done");
        long term = termIn(run.awaitLine("ready "));
        takeStoreAway();
        run.awaitOutput("cannot be renewed");
        run.awaitLine("told " + term);

        bringStoreBack();
        assertThat(termIn(run.awaitLine("ready "))).isGreaterThan(term);
    }

    @Test
    void a_store_outage_kills_a_command_that_ignores_sigterm_at_expiry() throws Exception {
        var run = run(
                "--ttl",
                TTL,
                "--grace",
                "60m",
                "--stop-before",
                "400ms",
                "--on-lost",
                "stop",
                "-E",
                "42",
                "--",
                "sh",
                "-c",
                "trap '' TERM; echo ready; while :; do sleep 1; done");
        run.awaitLine("ready");
        takeStoreAway();

        assertThat(run.awaitExit()).isEqualTo(42);
        // On a busy machine, this process can be later than its watchdog, which then kills the command.
        assertThat(run.output())
                .contains("cannot be renewed")
                .containsAnyOf("killing the processes of the command", "the watchdog killed the command");
    }

    @Test
    void a_step_down_request_stops_the_command_and_doyen_campaigns_again() throws Exception {
        var run = run(
                "--ttl",
                LONG_TTL,
                "--grace",
                LONG_GRACE,
                "--",
                "sh",
                "-c",
                "trap 'echo told $DOYEN_TERM; exit 0' TERM; echo ready $DOYEN_TERM; while :; do sleep 0.05; done");
        long term = termIn(run.awaitLine("ready "));
        try (var election = Election.lease("e").store(store()).open()) {
            election.control("operator").resign("maintenance");

            run.awaitOutput("(resigned)");
            run.awaitLine("told " + term);
            assertThat(termIn(run.awaitLine("ready "))).isGreaterThan(term);
        }
    }

    @Test
    void after_a_step_down_request_the_lease_is_released_when_the_command_has_stopped() throws Exception {
        var log = folder.resolve("log");
        var slow =
                "trap 'i=0; while [ $i -lt 25 ]; do echo $DOYEN_TERM >> \"$1\"; sleep 0.02; i=$((i+1)); done; exit 0'"
                        + " TERM; echo ready; while :; do sleep 0.02; done";
        run("--", "sh", "-c", slow, "slow", log.toString()).awaitLine("ready");
        var second = run("--", "sh", "-c", WORK, "work", log.toString());
        second.awaitOutput("waiting: ");
        try (var election = Election.lease("e").store(store()).open()) {
            election.control("operator").resign("maintenance");

            second.awaitLine("working ");
        }
        assertThat(second.signal("TERM").awaitExit()).isEqualTo(143);
        assertNoOverlap(log);
    }

    @Test
    void on_lost_stop_ends_with_the_code_for_conflicts() throws Exception {
        var run = run(
                "--ttl",
                LONG_TTL,
                "--stop-before",
                LONG_GRACE,
                "--grace",
                LONG_GRACE,
                "--on-lost",
                "stop",
                "-E",
                "42",
                "--",
                "sh",
                "-c",
                "trap 'echo told; exit 0' TERM; echo ready; while :; do sleep 0.05; done");
        run.awaitLine("ready");
        takeStoreAway();

        run.awaitLine("told");
        assertThat(run.awaitExit()).isEqualTo(42);
    }

    @Test
    void on_lost_exit_kills_at_once() throws Exception {
        var run = run(
                "--ttl",
                TTL,
                "--on-lost",
                "exit",
                "-E",
                "42",
                "--",
                "sh",
                "-c",
                "trap 'echo told; exit 0' TERM; echo ready; while :; do sleep 0.05; done");
        run.awaitLine("ready");
        takeStoreAway();

        assertThat(run.awaitExit()).isEqualTo(42);
        assertThat(run.restOfLines()).isEmpty();
    }

    @Test
    void a_lease_taken_by_another_holder_kills_the_command_at_once() throws Exception {
        var run = run(
                "--ttl",
                TTL,
                "--grace",
                "60m",
                "--on-lost",
                "stop",
                "-E",
                "42",
                "--",
                "sh",
                "-c",
                "trap '' TERM; echo ready; while :; do sleep 1; done");
        run.awaitLine("ready");
        try (var files = Files.walk(folder.resolve("store"))) {
            for (var file : files.filter(f -> f.getFileName().toString().endsWith(".lease"))
                    .toList()) {
                Files.delete(file);
            }
        }

        assertThat(run.awaitExit()).isEqualTo(42);
        assertThat(run.output()).contains("another candidate holds the lease, or its record was deleted");
    }

    @Test
    void with_no_wait_another_leader_ends_it_with_the_conflict_code() throws Exception {
        leader();
        var run = run("-n", "--", "echo", "mine");

        assertThat(run.awaitExit()).isEqualTo(1);
        assertThat(run.output()).contains("\"first\" leads election \"e\" in term 1; --no-wait was set");
        assertThat(run.restOfLines()).isEmpty();
        assertThat(run("--no-wait", "-E", "75", "--", "echo", "mine").awaitExit())
                .isEqualTo(75);
    }

    @Test
    void with_no_wait_it_runs_without_another_leader() throws Exception {
        var run = run("-n", "--", "echo", "mine");

        assertThat(run.restOfLines()).containsExactly("mine");
        assertThat(run.awaitExit()).isZero();
    }

    @Test
    void the_wait_limit_ends_with_the_conflict_code() throws Exception {
        leader();
        var run = run("-w", "0.3", "-E", "75", "--", "echo", "mine");

        assertThat(run.awaitExit()).isEqualTo(75);
        assertThat(run.output()).contains("not elected");
        assertThat(run.restOfLines()).isEmpty();
    }

    @Test
    void json_goes_to_stderr_one_object_on_a_line() throws Exception {
        var run = run("--json", "--id", "me", "--", "sh", "-c", "echo mine; exit 3");

        assertThat(run.awaitExit()).isEqualTo(3);
        assertThat(run.restOfLines()).containsExactly("mine");
        assertThat(run.output().lines())
                .allMatch(line -> line.startsWith("{\"time\":\"") && line.endsWith("\"}"))
                .anyMatch(line ->
                        line.contains("\"event\":\"elected\",\"election\":\"e\",\"candidate\":\"me\",\"term\":1,"))
                .anyMatch(line -> line.contains("\"event\":\"exited\"") && line.contains("\"exitCode\":3,"));
    }

    @Test
    void an_unusable_store_is_exit_code_1() throws Exception {
        var file = Files.createFile(folder.resolve("file"));
        var run = start(RunningDoyen.start("run", "e", "--store", "file:" + file, "--", "true"));

        assertThat(run.awaitExit()).isEqualTo(1);
        assertThat(run.output()).startsWith("doyen: The store cannot be used: ");
    }

    @Test
    void without_setsid_it_warns_and_still_ends_the_processes_of_the_command() throws Exception {
        var tools = Files.createDirectory(folder.resolve("tools"));
        for (var tool : List.of("sh", "sleep", "grep", "rm", "rmdir")) {
            Files.createSymbolicLink(tools.resolve(tool), which(tool));
        }
        var hold = new DescendantsPipe(folder);
        var builder = new ProcessBuilder(RunningDoyen.commandLine(
                "run",
                "e",
                "--store",
                store(),
                "--",
                "sh",
                "-c",
                hold.taken() + "(echo child; exec sleep 99) & echo ready; wait"));
        builder.environment().put("PATH", tools.toString());
        var run = start(new RunningDoyen(builder));
        run.awaitLine("ready");
        run.awaitOutput("this machine has no setsid");

        assertThat(run.signal("TERM").awaitExit()).isEqualTo(143);
        hold.awaitReleased();
    }

    private RunningDoyen run(String... arguments) throws IOException {
        var all = new ArrayList<>(List.of("run", "e", "--store", store()));
        all.addAll(List.of(arguments));
        return start(RunningDoyen.start(all.toArray(String[]::new)));
    }

    private RunningDoyen inTerminal(String... arguments) throws IOException {
        var script = Stream.of("/usr/bin/script", "/bin/script")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(
                script.isPresent(), "SKIPPED: no script(1) on this machine; install util-linux's (Debian: bsdutils)");
        var all = new ArrayList<>(List.of("run", "e", "--store", store()));
        all.addAll(List.of(arguments));
        var line = new StringBuilder("exec");
        for (var argument : RunningDoyen.commandLine(all.toArray(String[]::new))) {
            line.append(" '").append(argument.replace("'", "'\\''")).append('\'');
        }
        return start(
                new RunningDoyen(new ProcessBuilder(script.get().toString(), "-qefc", line.toString(), "/dev/null")));
    }

    /** Starts another {@code doyen} process, which leads in term 1 until the test ends. */
    private void leader() throws Exception {
        run("--id", "first", "--ttl", "60m", "--", "sh", "-c", "echo leads; exec sleep 99")
                .awaitLine("leads");
    }

    /** Returns the term in a line that a command has printed. The term is the second word of the line. */
    private static long termIn(String line) {
        return Long.parseLong(line.split(" ", -1)[1]);
    }

    private RunningDoyen start(RunningDoyen run) {
        started.add(run);
        return run;
    }

    private String store() {
        return "file:" + folder.resolve("store");
    }

    /**
     * Makes the lease unreadable and unwritable in one atomic step: the lease's file becomes a symbolic link to itself.
     */
    private void takeStoreAway() throws IOException {
        whileNobodyWrites(() -> {
            var store = folder.resolve("store");
            Files.createLink(folder.resolve("kept"), store.resolve("e.lease"));
            var loop = Files.createSymbolicLink(store.resolve("loop"), Path.of("e.lease"));
            Files.move(loop, store.resolve("e.lease"), StandardCopyOption.ATOMIC_MOVE);
        });
    }

    private void bringStoreBack() throws IOException {
        whileNobodyWrites(() ->
                Files.move(folder.resolve("kept"), folder.resolve("store/e.lease"), StandardCopyOption.ATOMIC_MOVE));
    }

    /** Makes a change while this test has locked the store for writing. */
    private void whileNobodyWrites(Change change) throws IOException {
        try (var channel = FileChannel.open(folder.resolve("store/.lock"), StandardOpenOption.WRITE);
                var held = channel.lock()) {
            assertThat(held.isValid()).isTrue();
            change.make();
        }
    }

    private interface Change {
        void make() throws IOException;
    }

    /** Watches the store's directory until a lease contains this text, and returns that lease. */
    private String awaitInStore(String part) throws Exception {
        var directory = folder.resolve("store");
        try (var watch = directory.getFileSystem().newWatchService()) {
            directory.register(
                    watch,
                    java.nio.file.StandardWatchEventKinds.ENTRY_CREATE,
                    java.nio.file.StandardWatchEventKinds.ENTRY_MODIFY);
            while (true) {
                try (var files = Files.list(directory)) {
                    for (var file :
                            files.filter(f -> f.toString().endsWith(".lease")).toList()) {
                        var text = Files.readString(file);
                        if (text.contains(part)) {
                            return text;
                        }
                    }
                } catch (java.nio.file.NoSuchFileException e) {
                    // The file was replaced after it was listed and before it was read.
                }
                var key = watch.poll(90, TimeUnit.SECONDS);
                assertThat(key).as("a change in the store").isNotNull();
                key.pollEvents();
                key.reset();
            }
        }
    }

    private Path executable(String name) throws IOException {
        var file = Files.writeString(folder.resolve(name), "#!/bin/sh\necho ran\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static Path which(String tool) {
        return Stream.of(System.getenv("PATH").split(":", -1))
                .map(directory -> Path.of(directory, tool))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow();
    }

    /** Asserts that no command wrote to the log after a command of a later term. The log must contain several terms. */
    private static void assertNoOverlap(Path log) throws IOException {
        var terms = Files.readAllLines(log).stream().map(Long::parseLong).toList();
        assertThat(terms).isSorted();
        assertThat(terms.stream().distinct().count()).isGreaterThan(1);
    }
}
