package dev.doyen.jvms;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A program in a small JVM of its own, which is stopped and killed. */
public class JvmProcess implements AutoCloseable {

    protected final Process process;
    private final String id;

    /** @param id for people, and the name of the thread that hears it */
    public JvmProcess(String id, Process process) {
        this.id = id;
        this.process = process;
    }

    /** Has this test's class path, and what it says on standard error goes nowhere unless told otherwise. */
    public static ProcessBuilder builder(Class<?> main, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(arguments);
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
    }

    /** For what a program says on standard error: kept in {@code target/} of the module, after what others said there. */
    public static ProcessBuilder.Redirect to(String log) {
        return ProcessBuilder.Redirect.appendTo(Path.of("target", log).toFile());
    }

    public final String id() {
        return id;
    }

    /** Takes each line that it says on standard output, on a thread of its own; to be called once. */
    public final void hear(Consumer<String> listener) {
        var hearing = new Thread(() -> listen(listener), "hears-" + id);
        hearing.setDaemon(true);
        hearing.start();
    }

    private void listen(Consumer<String> listener) {
        try (var out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                listener.accept(line);
            }
        } catch (IOException e) {
            // Whoever kills it closes the pipe, too. Of one that was not killed, nothing more is heard: waiting for
            // that fails.
        }
    }

    /** Says this line to it. */
    public final void say(String line) throws IOException {
        process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    /** SIGSTOP. */
    public final void stop() throws IOException, InterruptedException {
        signal("STOP");
    }

    /** SIGCONT. */
    public final void goOn() throws IOException, InterruptedException {
        signal("CONT");
    }

    /** SIGTERM; does not wait until it has ended. Unlike {@link Process#destroy}, leaves its standard input open. */
    public final void terminate() throws IOException, InterruptedException {
        signal("TERM");
    }

    private void signal(String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
        if (!kill.waitFor(60, TimeUnit.SECONDS) || kill.exitValue() != 0) {
            throw new IOException("SIG" + name + " could not be sent to " + id);
        }
    }

    /** SIGKILL; does not wait until it is dead. */
    public final void kill() {
        process.destroyForcibly();
    }

    /** SIGKILL; returns when it is dead. */
    @Override
    public final void close() {
        process.destroyForcibly().onExit().join();
    }
}
