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
 * Tests {@code doyen run} in its own process with real commands. Each test is a row of docs/reference/doyen-run.md.
 *
 * <p>This class is long because the page has many rows, and readers compare the two.
 */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(300)
final class RunProcessTest {

    /** A command that appends its term to a log again and again. It stands for a job that must run only once. */
    private static final String WORK =
            "echo working $DOYEN_TERM $$; while :; do echo $DOYEN_TERM >> \"$1\"; sleep 0.02; done";

    /** A ttl for tests that wait for its end. A process that is frozen for most of it loses its lease. */
    private static final String TTL = "5s";

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
    void the_exit_code_is_the_commands() throws Exception {
        assertThat(run("--", "sh", "-c", "exit 7").awaitExit()).isEqualTo(7);
        assertThat(run("--", "true").awaitExit()).isZero();
    }

    @Test
    void a_command_ended_by_a_signal_gives_128_and_its_number() throws Exception {
        assertThat(run("--", "sh", "-c", "kill -USR1 $$").awaitExit()).isEqualTo(138);
    }

    @Test
    void the_next_one_starts_at_once_when_the_command_has_ended() throws Exception {
        var first = run("--ttl", "60m", "--", "sh", "-c", "echo ready; read line");
        first.awaitLine("ready");
        var second = run("--ttl", "60m", "--", "echo", "mine");
        second.awaitSaying("waiting: ");
        first.type("\n");

        // If the lease of an hour had not been released, the wait would be longer than this test may last.
        second.awaitLine("mine");
        assertThat(second.awaitExit()).isZero();
    }

    @Test
    void arguments_arrive_as_they_are_written() throws Exception {
        var run = run("--", "printf", "<%s>\\n", "@file", "--", "-n", "$HOME", "a  b", "\"q\"", "");

        assertThat(run.restOfLines()).containsExactly("<@file>", "<-->", "<-n>", "<$HOME>", "<a  b>", "<\"q\">", "<>");
        assertThat(run.awaitExit()).isZero();
        assertThat(run.everythingSaid()).isEmpty();
    }

    @Test
    void the_command_learns_the_term_from_its_environment() throws Exception {
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
    void state_is_handed_from_one_command_to_the_next() throws Exception {
        run("--", "sh", "-c", "printf 41 > $DOYEN_STATE_FILE").awaitExit();
        var second = run("--", "sh", "-c", "echo found $(cat $DOYEN_STATE_FILE) $DOYEN_STATE_FILE");

        var found = second.awaitLine("found").split(" ", -1);
        assertThat(found[1]).isEqualTo("41");
        assertThat(second.awaitExit()).isZero();
        assertThat(Path.of(found[2]).getParent()).doesNotExist();
    }

    @Test
    void state_left_while_the_command_runs_survives_kill_9() throws Exception {
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
    void state_too_large_is_refused_and_the_old_one_stays() throws Exception {
        run("--", "sh", "-c", "printf 41 > $DOYEN_STATE_FILE").awaitExit();
        var second = run("--", "sh", "-c", "head -c 65537 /dev/zero > $DOYEN_STATE_FILE; exit 3");
        assertThat(second.awaitExit()).isEqualTo(3);
        assertThat(second.everythingSaid()).contains("65537 bytes; at most 65536");

        run("--", "sh", "-c", "echo found $(cat $DOYEN_STATE_FILE)").awaitLine("found 41");
    }

    @Test
    void a_missing_command_is_127_and_gives_the_lease_back() throws Exception {
        var early = run("--", "no-such-command");
        assertThat(early.awaitExit()).isEqualTo(127);
        assertThat(early.everythingSaid()).contains("\"no-such-command\" was not found in PATH");

        // A program that disappears during the wait is noticed after the election. The lease of an hour must then be
        // released.
        var tool = executable("tool");
        var first = run("--ttl", "60m", "--", "sh", "-c", "echo ready; read line");
        first.awaitLine("ready");
        var second = run("--ttl", "60m", "--", tool.toString());
        second.awaitSaying("waiting: ");
        Files.delete(tool);
        first.type("\n");
        assertThat(second.awaitExit()).isEqualTo(127);
        assertThat(second.everythingSaid()).contains("was not found");
        run("--ttl", "60m", "--", "echo", "free").awaitLine("free");
    }

    @Test
    void a_command_that_cannot_be_run_is_126() throws Exception {
        var tool = executable("tool");
        Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rw-r--r--"));
        var run = run("--", tool.toString());

        assertThat(run.awaitExit()).isEqualTo(126);
        assertThat(run.everythingSaid()).contains("not executable; allow it by chmod +x");
    }

    @Test
    void sigterm_is_handed_on_and_the_commands_code_returned() throws Exception {
        var run = run("--", "sh", "-c", "trap 'echo told; exit 9' TERM; echo ready; while :; do sleep 0.05; done");
        run.awaitLine("ready");
        run.signal("TERM");

        run.awaitLine("told");
        assertThat(run.awaitExit()).isEqualTo(9);
    }

    @Test
    void a_command_that_does_not_handle_sigterm_gives_143() throws Exception {
        var run = run("--", "sh", "-c", "echo ready; exec sleep 99");
        run.awaitLine("ready");

        assertThat(run.signal("TERM").awaitExit()).isEqualTo(143);
    }

    @Test
    void a_command_that_ignores_sigterm_is_killed_after_the_grace() throws Exception {
        var run = run("--grace", "300ms", "--", "sh", "-c", "trap '' TERM; echo ready; while :; do sleep 1; done");
        run.awaitLine("ready");

        assertThat(run.signal("TERM").awaitExit()).isEqualTo(137);
        assertThat(run.everythingSaid()).contains("killing the processes of the command");
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
    void other_signals_are_handed_on_and_the_command_goes_on(String signal) throws Exception {
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
        run.awaitSaying("waiting: \"first\" leads election \"e\" in term 1");

        assertThat(run.signal(signal).awaitExit()).isEqualTo(code);
        assertThat(run.restOfLines()).isEmpty();
    }

    @Test
    void what_the_command_started_ends_with_it() throws Exception {
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
        assertThat(run.everythingSaid()).contains("killing the processes of the command");
    }

    @Test
    void a_daemon_that_left_the_session_ends_too() throws Exception {
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
        assertThat(run.everythingSaid()).contains("\"event\":\"left-behind\"");
    }

    @Test
    void kill_9_of_doyen_ends_the_command_and_all_it_started() throws Exception {
        var hold = new DescendantsPipe(folder);
        // The lease lasts an hour, so that no other candidate waits for its end.
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
    void kill_9_of_doyen_and_of_its_guard_still_ends_the_command_itself() throws Exception {
        assumeTrue(
                Files.exists(Path.of("/usr/bin/setpriv")),
                "SKIPPED: no setpriv(1) on this machine; install util-linux");
        var hold = new DescendantsPipe(folder);
        var run = run("--ttl", "60m", "--", "sh", "-c", hold.taken() + "echo ready; exec sleep 99");
        run.awaitLine("ready");
        run.killGuard();
        run.killHard();

        hold.awaitReleased();
    }

    @Test
    void kill_9_of_doyen_lets_another_lead_when_the_lease_has_run_out() throws Exception {
        var log = folder.resolve("log");
        var first = run("--ttl", TTL, "--", "sh", "-c", WORK, "work", log.toString());
        long term = termIn(first.awaitLine("working "));
        var second = run("--ttl", TTL, "--", "sh", "-c", WORK, "work", log.toString());
        second.awaitSaying("waiting: ");
        first.killHard();

        assertThat(termIn(second.awaitLine("working "))).isGreaterThan(term);
        assertThat(second.signal("TERM").awaitExit()).isEqualTo(143);
        assertNoOverlap(log);
    }

    @Test
    void a_doyen_that_stands_still_loses_its_command_before_another_starts() throws Exception {
        var log = folder.resolve("log");
        var first = run("--ttl", TTL, "--id", "first", "--", "sh", "-c", WORK, "work", log.toString());
        long term = termIn(first.awaitLine("working "));
        var second = run("--ttl", TTL, "--id", "second", "--", "sh", "-c", WORK, "work", log.toString());
        second.awaitSaying("waiting: ");
        first.signal("STOP");
        long next = termIn(second.awaitLine("working "));
        assertThat(next).isGreaterThan(term);
        first.signal("CONT");

        first.awaitSaying("was suspended; the command was killed");
        first.awaitSaying("waiting: \"second\" leads");
        assertThat(second.signal("TERM").awaitExit()).isEqualTo(143);
        assertThat(termIn(first.awaitLine("working "))).isGreaterThan(next);
        assertThat(first.signal("TERM").awaitExit()).isEqualTo(143);
        assertNoOverlap(log);
    }

    @Test
    void a_store_that_is_away_stops_the_command_before_the_lease_runs_out() throws Exception {
        var run = run(
                "--ttl",
                TTL,
                "--",
                "sh",
                "-c",
                "trap 'echo told $DOYEN_TERM; exit 0' TERM; echo ready $DOYEN_TERM; while :; do sleep 0.05; done");
        long term = termIn(run.awaitLine("ready "));
        takeStoreAway();
        run.awaitSaying("cannot be renewed");
        run.awaitLine("told " + term);

        bringStoreBack();
        assertThat(termIn(run.awaitLine("ready "))).isGreaterThan(term);
    }

    @Test
    void a_store_that_is_away_kills_a_command_that_ignores_sigterm_when_the_lease_runs_out() throws Exception {
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
        assertThat(run.everythingSaid()).contains("cannot be renewed", "killing the processes of the command");
    }

    @Test
    void asked_to_step_down_it_stops_the_command_and_stands_again() throws Exception {
        var run = run(
                "--ttl",
                TTL,
                "--",
                "sh",
                "-c",
                "trap 'echo told $DOYEN_TERM; exit 0' TERM; echo ready $DOYEN_TERM; while :; do sleep 0.05; done");
        long term = termIn(run.awaitLine("ready "));
        try (var election = Election.lease("e").store(store()).open()) {
            election.control("operator").resign("maintenance");

            run.awaitSaying("(resigned)");
            run.awaitLine("told " + term);
            assertThat(termIn(run.awaitLine("ready "))).isGreaterThan(term);
        }
    }

    @Test
    void asked_to_step_down_it_gives_the_lease_back_only_when_the_command_has_stopped() throws Exception {
        var log = folder.resolve("log");
        var slow =
                "trap 'i=0; while [ $i -lt 25 ]; do echo $DOYEN_TERM >> \"$1\"; sleep 0.02; i=$((i+1)); done; exit 0'"
                        + " TERM; echo ready; while :; do sleep 0.02; done";
        run("--", "sh", "-c", slow, "slow", log.toString()).awaitLine("ready");
        var second = run("--", "sh", "-c", WORK, "work", log.toString());
        second.awaitSaying("waiting: ");
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
                TTL,
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
    void a_lease_taken_by_force_kills_the_command_at_once() throws Exception {
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
        assertThat(run.everythingSaid()).contains("another holds the lease, or its record is gone");
    }

    @Test
    void without_waiting_another_leader_ends_it_with_the_code_for_conflicts() throws Exception {
        leader();
        var run = run("-n", "--", "echo", "mine");

        assertThat(run.awaitExit()).isEqualTo(1);
        assertThat(run.everythingSaid()).contains("\"first\" leads election \"e\" in term 1; --no-wait was set");
        assertThat(run.restOfLines()).isEmpty();
        assertThat(run("--no-wait", "-E", "75", "--", "echo", "mine").awaitExit())
                .isEqualTo(75);
    }

    @Test
    void without_waiting_it_runs_if_nobody_leads() throws Exception {
        var run = run("-n", "--", "echo", "mine");

        assertThat(run.restOfLines()).containsExactly("mine");
        assertThat(run.awaitExit()).isZero();
    }

    @Test
    void patience_ends_with_the_code_for_conflicts() throws Exception {
        leader();
        var run = run("-w", "0.3", "-E", "75", "--", "echo", "mine");

        assertThat(run.awaitExit()).isEqualTo(75);
        assertThat(run.everythingSaid()).contains("not elected");
        assertThat(run.restOfLines()).isEmpty();
    }

    @Test
    void json_goes_to_stderr_one_object_on_a_line() throws Exception {
        var run = run("--json", "--id", "me", "--", "sh", "-c", "echo mine; exit 3");

        assertThat(run.awaitExit()).isEqualTo(3);
        assertThat(run.restOfLines()).containsExactly("mine");
        assertThat(run.everythingSaid().lines())
                .allMatch(line -> line.startsWith("{\"time\":\"") && line.endsWith("\"}"))
                .anyMatch(line ->
                        line.contains("\"event\":\"elected\",\"election\":\"e\",\"candidate\":\"me\",\"term\":1,"))
                .anyMatch(line -> line.contains("\"event\":\"exited\"") && line.contains("\"exitCode\":3,"));
    }

    @Test
    void a_store_that_cannot_be_used_is_1() throws Exception {
        var file = Files.createFile(folder.resolve("file"));
        var run = start(RunningDoyen.start("run", "e", "--store", "file:" + file, "--", "true"));

        assertThat(run.awaitExit()).isEqualTo(1);
        assertThat(run.everythingSaid()).startsWith("doyen: The store cannot be used: ");
    }

    @Test
    void without_setsid_it_says_so_and_still_ends_what_the_command_started() throws Exception {
        var tools = Files.createDirectory(folder.resolve("tools"));
        for (var tool : List.of("sh", "sleep", "grep", "rm", "rmdir")) {
            Files.createSymbolicLink(tools.resolve(tool), which(tool));
        }
        var hold = new DescendantsPipe(folder);
        var builder = new ProcessBuilder(RunningDoyen.words(
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
        run.awaitSaying("no setsid on this machine");

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
        for (var word : RunningDoyen.words(all.toArray(String[]::new))) {
            line.append(" '").append(word.replace("'", "'\\''")).append('\'');
        }
        return start(
                new RunningDoyen(new ProcessBuilder(script.get().toString(), "-qefc", line.toString(), "/dev/null")));
    }

    /** Starts another process, which leads in term 1 until the test ends. */
    private void leader() throws Exception {
        run("--id", "first", "--ttl", "60m", "--", "sh", "-c", "echo leads; exec sleep 99")
                .awaitLine("leads");
    }

    /** Returns the term in a line of a command, which follows one word. */
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

    /** Makes the lease unreadable and unwritable in one atomic step. The lease becomes a symbolic link to itself. */
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

    /** Makes a change while it has locked the store for writing. */
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

    /** Watches the store's directory until a lease contains this text. */
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

    /** Asserts that no command writes its term after a command of a later term has written. */
    private static void assertNoOverlap(Path log) throws IOException {
        var terms = Files.readAllLines(log).stream().map(Long::parseLong).toList();
        assertThat(terms).isSorted();
        assertThat(terms.stream().distinct().count()).isGreaterThan(1);
    }
}
