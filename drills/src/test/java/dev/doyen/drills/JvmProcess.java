package dev.doyen.drills;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A program of the drills in a small JVM of its own, which is stopped and killed. */
abstract class JvmProcess implements AutoCloseable {

    final Process process;
    private final String id;

    JvmProcess(String id, Process process) {
        this.id = id;
        this.process = process;
    }

    /** @param prefix a command to run the JVM under, such as one that enters a network namespace */
    static Process launch(List<String> prefix, Class<?> main, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    final String id() {
        return id;
    }

    /** SIGSTOP. */
    final void stop() throws IOException, InterruptedException {
        Commands.run("kill", "-STOP", Long.toString(process.pid()));
    }

    /** SIGCONT. */
    final void goOn() throws IOException, InterruptedException {
        Commands.run("kill", "-CONT", Long.toString(process.pid()));
    }

    /** SIGKILL. */
    final void kill() {
        process.destroyForcibly();
    }

    @Override
    public final void close() throws InterruptedException {
        kill();
        process.waitFor();
    }
}
