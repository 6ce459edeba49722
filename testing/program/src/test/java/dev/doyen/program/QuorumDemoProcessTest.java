package dev.doyen.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.doyen.jvms.Patience;
import dev.doyen.process.ParentDeath;
import dev.doyen.process.RunSignal;
import dev.doyen.process.SearchPath;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that {@code doyen demo --quorum} leaves no process and no directory after SIGTERM and SIGKILL. */
@Timeout(600)
final class QuorumDemoProcessTest {

    private static final Patience PATIENCE = new Patience(Duration.ofMinutes(2));
    private static final Pattern QUORUM = Pattern.compile("quorum +(http://\\S+/quorum/)#");
    private static final Pattern PID = Pattern.compile("\"pid\":([0-9]+),[^}]*?\"state\":\"running\"");

    @TempDir
    private Path data;

    @TempDir
    private Path temporary;

    @Test
    void sigterm_ends_all_members_including_a_frozen_one() throws Exception {
        var demo = start();
        var members = members(demo);
        signal("STOP", members.get(0).pid());

        signal(RunSignal.TERM.name(), demo.pid());

        assertThat(demo.waitFor()).isZero();
        nothingIsLeft(members);
    }

    @Test
    void members_end_after_their_parent_was_killed() throws Exception {
        var demo = start();
        var members = members(demo);

        demo.destroyForcibly().waitFor();

        nothingIsLeft(members);
    }

    /**
     * A frozen process cannot end by itself. With a recent util-linux, the kernel thaws the process when the parent
     * process ends.
     */
    @Test
    void a_frozen_member_ends_after_its_parent_was_killed() throws Exception {
        assumeThat(ParentDeath.commandPrefix(SearchPath.ofThisProcess(), "CONT"))
                .isNotEmpty();
        var demo = start();
        var members = members(demo);
        signal("STOP", members.get(1).pid());

        demo.destroyForcibly().waitFor();

        nothingIsLeft(members);
    }

    private Process start() throws IOException {
        var commandLine = RunningDoyen.serverCommandLine("demo", data, "--quorum", "--drain", "0s");
        commandLine.add(1, "-Djava.io.tmpdir=" + temporary);
        return new ProcessBuilder(commandLine)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Waits until all three members run, and returns their processes. */
    private static List<ProcessHandle> members(Process demo) throws IOException {
        String page = page(demo);
        var events = URI.create(page + "events").toURL().openStream();
        try (var lines = new BufferedReader(new InputStreamReader(events, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                var running = PID.matcher(line)
                        .results()
                        .map(found ->
                                ProcessHandle.of(Long.parseLong(found.group(1))).orElseThrow())
                        .toList();
                if (running.size() == 3) {
                    return running;
                }
            }
        }
        throw new AssertionError("the page ended before its members ran");
    }

    private static String page(Process demo) throws IOException {
        var out = demo.inputReader(StandardCharsets.UTF_8);
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            var page = QUORUM.matcher(line);
            if (page.find()) {
                return page.group(1);
            }
        }
        throw new AssertionError("no address of the quorum page was printed");
    }

    private void nothingIsLeft(List<ProcessHandle> members) throws IOException {
        PATIENCE.await("all members have ended", () -> members.stream().noneMatch(ProcessHandle::isAlive));
        PATIENCE.await("the directory is gone", () -> {
            try (Stream<Path> left = Files.list(temporary)) {
                return left.noneMatch(each -> each.getFileName().toString().startsWith("doyen-quorum-"));
            }
        });
    }

    private static void signal(String name, long pid) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("sh", "-c", "kill -s " + name + " " + pid)
                        .start()
                        .waitFor())
                .isZero();
    }
}
