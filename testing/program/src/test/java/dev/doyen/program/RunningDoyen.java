package dev.doyen.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.cli.Doyen;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A {@code doyen} process, with the output of the program and of its command. */
final class RunningDoyen implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 90;
    private static final String END = "(the end of the stream)";

    private final Process process;
    private final BlockingQueue<String> out = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> err = new LinkedBlockingQueue<>();
    private final List<String> said = new ArrayList<>();

    RunningDoyen(ProcessBuilder builder) throws IOException {
        builder.environment().remove("DOYEN_STORE");
        // Resets these signals. If nohup or & had started the tests, the signals would be ignored in the process too.
        var words = new ArrayList<>(List.of("env", "--default-signal=HUP,INT,TERM"));
        words.addAll(builder.command());
        builder.command(words);
        process = builder.start();
        collect(process.inputReader(StandardCharsets.UTF_8), out);
        collect(process.errorReader(StandardCharsets.UTF_8), err);
    }

    /** Starts {@code doyen} with these arguments. */
    static RunningDoyen start(String... arguments) throws IOException {
        return new RunningDoyen(new ProcessBuilder(words(arguments)));
    }

    /** Returns the command line of the program with these arguments. */
    static List<String> words(String... arguments) {
        var words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Doyen.class.getName()));
        words.addAll(List.of(arguments));
        return words;
    }

    /** Reads lines of the command up to one that contains this text. Returns that line. */
    String awaitLine(String part) throws InterruptedException {
        return await(out, part);
    }

    /** Reads messages of the program up to one that contains this text. Returns that line. */
    String awaitSaying(String part) throws InterruptedException {
        for (var line = next(err); !line.equals(END); line = next(err)) {
            said.add(line);
            if (line.contains(part)) {
                return line;
            }
        }
        throw new AssertionError("it never said \"" + part + "\", but " + said);
    }

    /** Waits for the end of the program. Returns its exit code. */
    int awaitExit() throws InterruptedException {
        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .as("it ends; said so far: " + err)
                .isTrue();
        return process.exitValue();
    }

    /** Returns all messages of the program on stderr, after its end. */
    String everythingSaid() throws InterruptedException {
        for (var line = next(err); !line.equals(END); line = next(err)) {
            said.add(line);
        }
        return String.join("\n", said);
    }

    /** Returns the remaining lines of the command, after its end. */
    List<String> restOfLines() throws InterruptedException {
        var lines = new ArrayList<String>();
        for (var line = next(out); !line.equals(END); line = next(out)) {
            lines.add(line);
        }
        return lines;
    }

    RunningDoyen signal(String name) throws IOException, InterruptedException {
        return signal(name, process.pid());
    }

    RunningDoyen signal(String name, long pid) throws IOException, InterruptedException {
        new ProcessBuilder("sh", "-c", "kill -s " + name + " " + pid).start().waitFor();
        return this;
    }

    void killHard() {
        process.destroyForcibly();
    }

    /** Kills the shell that guards the command. */
    void killGuard() throws InterruptedException, ExecutionException, TimeoutException {
        var guard = process.children()
                .filter(child ->
                        List.of(child.info().arguments().orElse(new String[0])).contains("doyen-watchdog"))
                .findFirst()
                .orElseThrow();
        guard.destroyForcibly();
        guard.onExit().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    void type(String text) throws IOException {
        OutputStream in = process.getOutputStream();
        in.write(text.getBytes(StandardCharsets.UTF_8));
        in.flush();
    }

    /** Asks the program to end, and after a second to end immediately. Its command has ended when it has. */
    @Override
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(1, TimeUnit.SECONDS)) {
            process.destroy();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        }
    }

    private static String await(BlockingQueue<String> lines, String part) throws InterruptedException {
        var before = new ArrayList<String>();
        for (var line = next(lines); !line.equals(END); line = next(lines)) {
            if (line.contains(part)) {
                return line;
            }
            before.add(line);
        }
        throw new AssertionError("the command never said \"" + part + "\", but " + before);
    }

    private static String next(BlockingQueue<String> lines) throws InterruptedException {
        var line = lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (line == null) {
            throw new AssertionError("nothing more was said within " + PATIENCE_SECONDS + " s");
        }
        if (line.equals(END)) {
            lines.add(END);
        }
        return line;
    }

    private static void collect(BufferedReader reader, BlockingQueue<String> lines) {
        var thread = new Thread(() -> {
            try (reader) {
                reader.lines().forEach(lines::add);
            } catch (IOException | UncheckedIOException e) {
                // The process was killed while it wrote.
            } finally {
                lines.add(END);
            }
        });
        thread.setDaemon(true);
        thread.start();
    }
}
