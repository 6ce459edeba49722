package dev.doyen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.election.ElectionListener;
import dev.doyen.jvms.JvmProcess;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the shutdown hook does not wait for work that itself waits in {@link System#exit}. */
@Timeout(180)
class ExitInTaskTest {

    private static final int EXIT_CODE = 7;

    @ParameterizedTest
    @ValueSource(strings = {"task", "callback"})
    void a_program_whose_work_exits_ends_at_once(String where) throws Exception {
        Process process = JvmProcess.builder(ExitInTask.class, List.of(where)).start();
        try (var program = new JvmProcess(where, process)) {
            BlockingQueue<String> lines = new LinkedBlockingQueue<>();
            program.onLine(lines::add);
            assertThat(lines.poll(60, TimeUnit.SECONDS)).isEqualTo("exits");
            // If the hook waited for the work, it would wait for 30 s.
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).as(where).isTrue();
            assertThat(process.exitValue()).isEqualTo(EXIT_CODE);
        }
    }

    /** A program whose task or callback calls {@code System.exit}. */
    static final class ExitInTask {
        private ExitInTask() {}

        public static void main(String[] args) throws Exception {
            Election election = Election.lease("orders")
                    .store("memory:")
                    .ttl(Duration.ofHours(1))
                    .open();
            LeaseCandidate me = election.join("node-1");
            if (args[0].equals("task")) {
                me.whileLeading(leadership -> exit());
            } else {
                me.listen(new ElectionListener<LeaseLeadership>() {
                    @Override
                    public void elected(LeaseLeadership leadership) {
                        exit();
                    }
                });
                new CountDownLatch(1).await();
            }
        }

        private static void exit() {
            System.out.println("exits");
            System.exit(EXIT_CODE);
        }
    }
}
