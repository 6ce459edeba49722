package dev.doyen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.election.ElectionListener;
import dev.doyen.jvms.JvmProcess;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ends the ten-line program of the README with SIGTERM. */
@Timeout(180)
class SigtermTest {

    private static final Path HELLO =
            Path.of("../../examples/hello/Hello.java").toAbsolutePath().normalize();
    private static final String STORE_OF_HELLO = ".store(\"file:/tmp/orders\")";

    /** The ttl of the program. A busy machine does not delay a handover for so long. */
    private static final Duration TTL = Duration.ofMinutes(10);

    @TempDir
    Path directory;

    private Path classes;
    private String store;

    /** Compiles the program with a store in the directory of this test, and with a long ttl. */
    @BeforeEach
    void compile() throws IOException {
        store = "file:" + directory.resolve("orders");
        classes = directory.resolve("classes");
        String source = Files.readString(HELLO);
        assertThat(source).contains(STORE_OF_HELLO);
        String storeAndTtl = ".store(\"" + store + "\").ttl(java.time.Duration.parse(\"" + TTL + "\"))";
        Path copy = Files.writeString(directory.resolve("Hello.java"), source.replace(STORE_OF_HELLO, storeAndTtl));
        int exit = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-proc:none",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-d",
                        classes.toString(),
                        copy.toString());
        assertThat(exit).isZero();
    }

    @RepeatedTest(20)
    void the_next_candidate_leads_before_the_lease_would_expire() throws Exception {
        BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        Process process = start();
        try (var hello = new JvmProcess("node-1", process);
                LeaseStore opened = LeaseStore.open(store);
                Election election = Election.lease("orders").store(opened).open()) {
            hello.onLine(lines::add);
            assertThat(lines.poll(60, TimeUnit.SECONDS)).matches("node-1 leads in term \\d+");
            var elected = new CompletableFuture<Long>();
            election.join("node-2").listen(new ElectionListener<LeaseLeadership>() {
                @Override
                public void elected(LeaseLeadership leadership) {
                    elected.complete(leadership.term());
                }
            });
            LeaseRecord before = opened.read("orders").record().orElseThrow();
            assertThat(before.holder()).isEqualTo("node-1");
            assertThat(before.ttl()).isEqualTo(TTL);
            Instant expiry = before.renewedAt().plus(before.ttl());
            hello.terminate();

            assertThat(elected.get(60, TimeUnit.SECONDS)).isGreaterThan(before.term());
            LeaseRecord after = opened.read("orders").record().orElseThrow();
            assertThat(after.holder()).isEqualTo("node-2");
            assertThat(after.acquiredAt()).isBefore(expiry);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(128 + 15);
        }
    }

    private Process start() throws IOException {
        return new ProcessBuilder(JvmProcess.java(
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("java.class.path") + File.pathSeparator + classes,
                        "Hello",
                        "node-1"))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
