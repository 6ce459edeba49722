package dev.doyen.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.cli.Doyen;
import dev.doyen.jvms.JvmProcess;
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

    private static final long PATIENCE_SECONDS = 240;
    private static final String END = "(the end of the stream)";

    private final Process process;
    private final BlockingQueue<String> out = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> err = new LinkedBlockingQueue<>();
    private final List<String> output = new ArrayList<>();

    RunningDoyen(ProcessBuilder builder) throws IOException {
        builder.environment().remove("DOYEN_STORE");
        // Restores the default actions of three signals. Otherwise the new process would ignore these signals if the
        // tests run under nohup or in the background.
        var command = new ArrayList<>(List.of("env", "--default-signal=HUP,INT,TERM"));
        command.addAll(builder.command());
        builder.command(command);
        process = builder.start();
        collect(process.inputReader(StandardCharsets.UTF_8), out);
        collect(process.errorReader(StandardCharsets.UTF_8), err);
    }

    /** Starts {@code doyen} with these arguments. */
    static RunningDoyen start(String... arguments) throws IOException {
        return new RunningDoyen(new ProcessBuilder(commandLine(arguments)));
    }

    /** Returns the command line of the program with these arguments. */
    static List<String> commandLine(String... arguments) {
        var commandLine = JvmProcess.java("-cp", System.getProperty("java.class.path"), Doyen.class.getName());
        commandLine.addAll(List.of(arguments));
        return commandLine;
    }

    /**
     * Returns the command line of {@code doyen hub} or {@code doyen demo} on free ports of loopback.
     *
     * @param data the data directory
     */
    static List<String> serverCommandLine(String command, Path data, String... more) {
        var commandLine = commandLine(
                command, "--port", "0", "--elector-port", "0", "--probe-port", "0", "--data", data.toString());
        commandLine.addAll(List.of(more));
        return commandLine;
    }

    /** Reads lines of the command up to a line that contains this text, and returns that line. */
    String awaitLine(String part) throws InterruptedException {
        return await(out, part);
    }

    /** Reads messages of the program up to a message that contains this text, and returns that message. */
    String awaitOutput(String part) throws InterruptedException {
        for (var line = next(err); !line.equals(END); line = next(err)) {
            output.add(line);
            if (line.contains(part)) {
                return line;
            }
        }
        throw new AssertionError("the program did not print \"" + part + "\", but " + output);
    }

    /** Waits until the program has ended, and returns its exit code. */
    int awaitExit() throws InterruptedException {
        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .as("the program ends in time; its messages are " + err)
                .isTrue();
        return process.exitValue();
    }

    /** Waits until the program has ended, and returns all its messages on stderr. */
    String output() throws InterruptedException {
        for (var line = next(err); !line.equals(END); line = next(err)) {
            output.add(line);
        }
        return String.join("\n", output);
    }

    /** Waits until the command has ended, and returns its remaining lines. */
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

    /** Kills the shell that ends the command when {@code doyen} ends. */
    void killWatchdog() throws InterruptedException, ExecutionException, TimeoutException {
        var watchdog = process.children()
                .filter(child ->
                        List.of(child.info().arguments().orElse(new String[0])).contains("doyen-watchdog"))
                .findFirst()
                .orElseThrow();
        watchdog.destroyForcibly();
        watchdog.onExit().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    void type(String text) throws IOException {
        OutputStream in = process.getOutputStream();
        in.write(text.getBytes(StandardCharsets.UTF_8));
        in.flush();
    }

    /**
     * Sends SIGTERM. If the program still runs after one second, sends SIGTERM again. If the program still runs {@value
     * #PATIENCE_SECONDS} seconds later, sends SIGKILL. After SIGTERM, the program ends its command before it exits.
     */
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
        throw new AssertionError("the command did not print \"" + part + "\", but " + before);
    }

    private static String next(BlockingQueue<String> lines) throws InterruptedException {
        var line = lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (line == null) {
            throw new AssertionError("no further line was printed within " + PATIENCE_SECONDS + " s");
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
