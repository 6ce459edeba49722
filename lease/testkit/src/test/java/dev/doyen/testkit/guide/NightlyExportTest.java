package dev.doyen.testkit.guide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.LossCause;
import dev.doyen.testkit.FakeElection;
import dev.doyen.testkit.FakeElectionExtension;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(180)
class NightlyExportTest {

    @RegisterExtension
    final FakeElectionExtension nightly = FakeElectionExtension.named("nightly");

    /** Each export of a row blocks until the test takes the row. */
    private final BlockingQueue<String> exported = new SynchronousQueue<>();

    @Test
    void the_next_leader_continues_where_the_last_one_stopped() throws Exception {
        FakeElection fake = nightly.fake();
        var first = fake.election().join("first");
        var second = fake.election().join("second");
        var rows = List.of("a", "b", "c");

        var firstRun = run(new NightlyExport(first, exported), rows);
        fake.grant(first);
        assertThat(exported.poll(60, TimeUnit.SECONDS)).isEqualTo("a");
        assertThat(exported.poll(60, TimeUnit.SECONDS)).isEqualTo("b");
        fake.grant(second);

        var secondRun = run(new NightlyExport(second, exported), rows);
        String next = exported.poll(60, TimeUnit.SECONDS);
        assertThat(next).as("b is exported again if its save was too late").isIn("b", "c");
        if (next.equals("b")) {
            assertThat(exported.poll(60, TimeUnit.SECONDS)).isEqualTo("c");
        }
        assertThat(secondRun.get(60, TimeUnit.SECONDS)).isTrue();
        first.close();
        assertThat(firstRun.get(60, TimeUnit.SECONDS))
                .as("the first run was closed before its end")
                .isFalse();
    }

    @Test
    void a_row_whose_save_was_lost_is_exported_again() throws Exception {
        FakeElection fake = nightly.fake();
        var candidate = fake.election().join("only");
        var run = run(new NightlyExport(candidate, exported), List.of("a"));
        fake.grant();
        fake.storeUnavailable();
        assertThat(exported.poll(60, TimeUnit.SECONDS)).isEqualTo("a");
        fake.lose(LossCause.EXPIRED);
        fake.grant();
        assertThat(exported.poll(60, TimeUnit.SECONDS)).isEqualTo("a");
        assertThat(run.get(60, TimeUnit.SECONDS)).isTrue();
    }

    /** Starts a thread, because whileLeading blocks. */
    private static CompletableFuture<Boolean> run(NightlyExport export, List<String> rows) {
        var result = new CompletableFuture<Boolean>();
        var thread = new Thread(() -> {
            try {
                result.complete(export.run(rows));
            } catch (InterruptedException | RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return result;
    }
}
