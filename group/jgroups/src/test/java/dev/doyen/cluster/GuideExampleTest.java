package dev.doyen.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compiles the Java code blocks of docs/guide/ring.md that are not copies of files in examples/. Other tests run those
 * files.
 */
class GuideExampleTest {

    private static final Path GUIDE = Path.of("../../docs/guide/ring.md");
    private static final Pattern JAVA = Pattern.compile("(?<!-->\\n)```java\\n(.*?)```", Pattern.DOTALL);

    @TempDir
    Path folder;

    @Test
    void the_java_code_of_the_guide_compiles() throws Exception {
        Matcher example = JAVA.matcher(Files.readString(GUIDE));
        int found = 0;
        while (example.find()) {
            found++;
            Path source = Files.writeString(folder.resolve("Example.java"), """
                    import dev.doyen.cluster.ClusterMembership;
                    import dev.doyen.cluster.ClusterSettings;
                    import dev.doyen.cluster.Discovery;
                    import dev.doyen.event.SavedState;
                    import dev.doyen.group.RingCandidate;
                    import dev.doyen.group.RingElection;
                    import java.net.InetSocketAddress;
                    import java.util.List;

                    class Example {
                        void example() throws Exception {
                    %s
                        }

                        RingCandidate candidate;

                        long process(long row) {
                            return row + 1;
                        }

                        void warmTheCache() {}
                    }
                    """.formatted(example.group(1)));
            int failed = ToolProvider.getSystemJavaCompiler()
                    .run(
                            null,
                            null,
                            null,
                            List.of(
                                            "-proc:none",
                                            "-d",
                                            folder.toString(),
                                            "-cp",
                                            System.getProperty("java.class.path"),
                                            source.toString())
                                    .toArray(String[]::new));
            assertThat(failed).as("javac succeeds; its output is above").isZero();
        }
        assertThat(found).isEqualTo(2);
    }
}
