package dev.doyen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.hub.server.claims.StrictClaims;
import dev.doyen.process.RunSignal;
import dev.doyen.store.LeaseStore;
import dev.doyen.testkit.HeldPorts;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code doyen quorum} on three members in this JVM. */
@Timeout(300)
final class QuorumCommandTest {

    @TempDir
    private Path folder;

    private final HeldPorts ports = HeldPorts.withAnother(1);
    private final List<String> addresses = new ArrayList<>();
    private final List<LeaseStore> members = new ArrayList<>();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Consumer<RunSignal> signals = signal -> {};

    @BeforeEach
    void start() {
        for (int port : ports.take(4)) {
            addresses.add("127.0.0.1:" + port);
        }
        List<CompletableFuture<LeaseStore>> opening = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            String url = memberUrl(i);
            opening.add(CompletableFuture.supplyAsync(() -> LeaseStore.open(url)));
        }
        opening.forEach(each -> members.add(each.join()));
    }

    @AfterEach
    void stop() {
        members.forEach(LeaseStore::close);
        ports.close();
    }

    @Test
    void a_member_can_be_run_added_listed_and_removed() throws Exception {
        var memberOut = new StringWriter();
        // With a short timeout, the member soon reports that no operator has added it to the quorum.
        String url = memberUrl(3).replace("timeout-millis=30000", "timeout-millis=100");
        var member = new Thread(() -> run(memberOut, "quorum", "member", "--store", url));
        member.start();
        try {
            awaitText(memberOut, "doyen quorum add " + addresses.get(3));
            assertThat(quorum("add", addresses.get(3))).as(err.toString()).isZero();
            assertThat(out.toString())
                    .contains(
                            addresses.get(3) + " becomes a learner and receives all records",
                            addresses.get(3) + " has all records and becomes a voter",
                            "The quorum has 4 voters");
            awaitText(memberOut, addresses.get(3) + " is a voter; ");
            assertThat(memberOut.toString()).contains("not a member: ");

            assertThat(quorum("members")).isZero();
            assertThat(out.toString())
                    .contains(
                            "ADDRESS", "CONFIRMED", "4 of 4 voters answer, so the quorum survives the loss of 1 more.");
            assertThat(quorum("members", "--json")).isZero();
            assertThat(out.toString())
                    .contains("{\"address\":\"" + addresses.get(3) + "\",\"role\":\"voter\",\"leads\":");

            assertThat(quorum("remove", addresses.get(3), "--json")).isZero();
            assertThat(out.toString())
                    .contains("{\"event\":\"done\",\"message\":\"" + addresses.get(3) + " is not a member\"}");
            awaitText(memberOut, "was removed from the quorum");
        } finally {
            signals.accept(RunSignal.TERM);
            member.join();
        }
    }

    @Test
    void a_rejected_change_exits_with_3_and_an_unfinished_change_with_1() {
        assertThat(quorum("replace", addresses.get(0), addresses.get(0))).isEqualTo(3);
        assertThat(err.toString()).contains("The quorum rejects the change: both addresses are");

        assertThat(quorum("add", addresses.get(3), "--timeout", "0.5")).isEqualTo(1);
        assertThat(err.toString()).contains("not finished within", "no process answers at " + addresses.get(3));
    }

    @Test
    void wrong_usage_is_reported_in_one_line() {
        assertThat(run(out, "quorum", "members", "--store", "file:/tmp/x")).isEqualTo(2);
        assertThat(err.toString()).contains("the store is not a quorum", "doyen quorum members --help");
        assertThat(run(out, "quorum", "members")).isEqualTo(2);
        assertThat(run(out, "quorum")).isEqualTo(2);
        assertThat(quorum("members", "--timeout", "61m")).isEqualTo(2);
        assertThat(err.toString()).contains("at most");
        assertThat(quorum("add", "a,b")).isEqualTo(2);
        assertThat(run(out, "quorum", "member", "--store", "quorum://a,b,c")).isEqualTo(2);
        assertThat(err.toString()).contains("a member needs a directory and an id");
    }

    private int quorum(String command, String... more) {
        List<String> arguments = new ArrayList<>(
                List.of("quorum", command, "--store", "quorum://" + String.join(",", addresses.subList(0, 3))));
        arguments.addAll(List.of(more));
        return run(out, arguments.toArray(String[]::new));
    }

    private String memberUrl(int number) {
        ports.release(Integer.parseInt(addresses.get(number).substring("127.0.0.1:".length())));
        return "quorum://" + String.join(",", addresses.subList(0, 3)) + folder.resolve("member-" + number)
                + "?timeout-millis=30000&id=" + addresses.get(number);
    }

    private int run(StringWriter to, String... arguments) {
        return Doyen.run(
                (directory, settings) ->
                        StrictClaims.withElection(settings.watched().get(0)),
                Map.of(),
                server -> {},
                listener -> signals = listener,
                new PrintWriter(to),
                new PrintWriter(err),
                arguments);
    }

    /** Waits until the command has printed the text. The timeout of the test limits the wait. */
    private static void awaitText(StringWriter where, String text) {
        while (!where.toString().contains(text)) {
            LockSupport.parkNanos(2_000_000);
        }
    }
}
