package dev.doyen.demo.quorum.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.demo.quorum.ChildCommand.What;
import dev.doyen.jvms.Patience;
import dev.doyen.process.SearchPath;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Checks the reports of real member processes: at most one process leads at a time, and no number is lost. Also checks
 * commands without an answer.
 */
@Timeout(900)
class MemberProcessesTest {

    private static final int ROUNDS = 3;
    private static final long SECONDS = 120;

    private final Patience patience = new Patience(Duration.ofSeconds(SECONDS));
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final Reports reports = new Reports();
    private List<String> addresses = List.of();
    private MemberProcesses processes;

    @BeforeEach
    void start() throws Exception {
        addresses = LoopbackPorts.find(3, List.of());
        processes = new MemberProcesses(
                MemberCommand.find(SearchPath.ofThisProcess()), DemoFolder.create(), thread, reports);
        for (int i = 1; i <= addresses.size(); i++) {
            startMember(i);
        }
    }

    @AfterEach
    void end() throws Exception {
        onThread(() -> {
            processes.end();
            return null;
        });
        thread.shutdown();
        assertThat(Files.exists(processes.folder().root())).isFalse();
    }

    @Test
    void killed_frozen_and_disconnected_leaders_never_lead_beside_their_successor() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            int killed = anotherCounts(-1);
            onThread(() -> {
                processes.kill(killed);
                return null;
            });
            reports.forget(killed);
            int cut = anotherCounts(killed);
            startMember(killed);
            command(cut, What.DISCONNECT);
            int frozen = anotherCounts(cut);
            command(cut, What.RECONNECT);
            signal(frozen, "STOP");
            anotherCounts(frozen);
            signal(frozen, "CONT");
        }
        assertThat(reports.terms()).isGreaterThanOrEqualTo(3 * ROUNDS);
        assertThat(reports.faults()).isEmpty();
    }

    @Test
    void a_command_without_an_answer_fails_when_the_processes_end() throws Exception {
        // The same thread handles answers, so no answer can arrive between the two calls.
        CompletableFuture<Void> answer = onThread(() -> {
            CompletableFuture<Void> sent = processes.send(1, What.DISCONNECT);
            processes.end();
            return sent;
        });
        assertThatThrownBy(() -> answer.get(SECONDS, TimeUnit.SECONDS))
                .hasRootCauseInstanceOf(RefusedActionException.class)
                .hasRootCauseMessage("member 1 ended before it had answered");
    }

    /** Waits until the count has risen and the leader is not member {@code away}. Returns the leader. */
    private int anotherCounts(int away) throws Exception {
        long before = reports.count();
        patience.await(
                "a member other than " + away + " counts beyond " + before,
                () -> reports.count() > before
                        && reports.leader().filter(leader -> leader != away).isPresent());
        return reports.leader().orElse(1);
    }

    private void startMember(int number) throws Exception {
        onThread(() ->
                processes.start(new MemberArguments(number, addresses.get(number - 1), addresses, processes.folder())));
    }

    private void command(int number, What what) throws Exception {
        onThread(() -> processes.send(number, what)).get(SECONDS, TimeUnit.SECONDS);
    }

    private void signal(int number, String signal) throws Exception {
        onThread(() -> {
            processes.signal(number, signal);
            return null;
        });
    }

    private <T> T onThread(Callable<T> task) throws Exception {
        return thread.submit(task).get(SECONDS, TimeUnit.SECONDS);
    }
}
