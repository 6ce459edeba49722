package dev.doyen.jvms;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A program in a separate small JVM, which a test can freeze and kill. */
public class JvmProcess implements AutoCloseable {

    protected final Process process;
    private final String id;

    /**
     * Wraps a process that has started.
     *
     * @param id the name of the process in messages and in the name of the thread that reads its output
     */
    public JvmProcess(String id, Process process) {
        this.id = id;
        this.process = process;
    }

    /**
     * Returns a command that starts the Java of this test with the least processor time, with these further arguments.
     *
     * <p>Such a JVM does not verify the bytecode of the class path. Measured for {@code doyen run}, this saves 15 % of
     * the processor time.
     */
    public static List<String> java(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:-BytecodeVerificationRemote"));
        command.addAll(List.of(arguments));
        return command;
    }

    /**
     * Returns a builder for a JVM with the class path of this test.
     *
     * <p>The builder discards standard error unless the caller redirects it.
     */
    public static ProcessBuilder builder(Class<?> main, List<String> arguments) {
        var command = java("-Xmx64m", "-cp", System.getProperty("java.class.path"), main.getName());
        command.addAll(arguments);
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
    }

    /** Returns a redirect that appends standard error to this file in {@code target/} of the module. */
    public static ProcessBuilder.Redirect to(String log) {
        return ProcessBuilder.Redirect.appendTo(Path.of("target", log).toFile());
    }

    public final String id() {
        return id;
    }

    /** Passes each line of standard output to the listener, on a separate thread. Call this method only once. */
    public final void onLine(Consumer<String> listener) {
        var reader = new Thread(() -> listen(listener), "hears-" + id);
        reader.setDaemon(true);
        reader.start();
    }

    private void listen(Consumer<String> listener) {
        try (var out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                listener.accept(line);
            }
        } catch (IOException e) {
            // The end of a killed process causes this exception, because its pipe is closed. After any other fault no
            // more lines arrive, and a test that waits for a line fails.
        }
    }

    /** Writes this line to the standard input of the process. */
    public final void writeLine(String line) throws IOException {
        process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    /** Sends SIGSTOP to the process. */
    public final void stop() throws IOException, InterruptedException {
        signal("STOP");
    }

    /** Sends SIGCONT to the process. */
    public final void goOn() throws IOException, InterruptedException {
        signal("CONT");
    }

    /** Sends SIGTERM and returns at once. Unlike {@link Process#destroy}, this method leaves standard input open. */
    public final void terminate() throws IOException, InterruptedException {
        signal("TERM");
    }

    private void signal(String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
        if (!kill.waitFor(60, TimeUnit.SECONDS) || kill.exitValue() != 0) {
            throw new IOException("SIG" + name + " could not be sent to " + id);
        }
    }

    /** Sends SIGKILL and returns at once. */
    public final void kill() {
        process.destroyForcibly();
    }

    /** Sends SIGKILL and waits until the process has ended. */
    @Override
    public final void close() {
        process.destroyForcibly().onExit().join();
    }
}
