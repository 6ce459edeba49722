package dev.doyen.demo.quorum.driver;

import dev.doyen.demo.quorum.ChildCommand;
import dev.doyen.demo.quorum.ChildLine;
import dev.doyen.demo.quorum.JsonLines;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A handle with which the parent process controls the process of one member.
 *
 * <p>Threads: the methods may be called on any thread. A separate thread reads the output of the process. Call
 * {@link #start} on a thread that runs until the parent process ends, because the kernel can signal the started process
 * when that thread ends ({@link dev.doyen.process.ParentDeath}).
 */
final class MemberChild {

    private static final System.Logger LOG = System.getLogger("dev.doyen");
    private static final long SIGNAL_SECONDS = 10;

    private final Process process;

    private MemberChild(Process process) {
        this.process = process;
    }

    /**
     * Starts a process.
     *
     * @param log the file that receives the standard error of the process
     * @param listener receives each line, in order. The next line is read after the listener returns
     * @param ended receives the exit code, after the last line
     */
    static MemberChild start(List<String> command, Path log, Consumer<ChildLine> listener, Consumer<Integer> ended)
            throws IOException {
        Process process =
                new ProcessBuilder(command).redirectError(log.toFile()).start();
        var child = new MemberChild(process);
        var reader = new Thread(
                () -> {
                    child.read(listener);
                    ended.accept(process.onExit().join().exitValue());
                },
                "doyen-demo-" + process.pid());
        reader.setDaemon(true);
        reader.start();
        return child;
    }

    private void read(Consumer<ChildLine> listener) {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                listener.accept(JsonLines.read(line, ChildLine.class));
            }
        } catch (IOException | IllegalArgumentException e) {
            LOG.log(System.Logger.Level.DEBUG, "the output of process " + process.pid() + " ended", e);
        }
    }

    long pid() {
        return process.pid();
    }

    /** Sends a command to the process. If the process has ended, the method throws, or the command is lost. */
    void send(ChildCommand command) throws IOException {
        var input = process.getOutputStream();
        input.write((JsonLines.write(command) + "\n").getBytes(StandardCharsets.UTF_8));
        input.flush();
    }

    /**
     * Sends a signal with the system's kill command.
     *
     * @param kill the path of the system's kill command
     * @param signal the signal's name without SIG
     */
    void signal(Path kill, String signal) throws IOException, InterruptedException {
        Process sending = new ProcessBuilder(kill.toString(), "-" + signal, Long.toString(process.pid()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!sending.waitFor(SIGNAL_SECONDS, TimeUnit.SECONDS)) {
            sending.destroyForcibly();
            throw new IOException(kill + " did not end within " + SIGNAL_SECONDS + " s");
        }
        if (sending.exitValue() != 0) {
            throw new IOException(kill + " ended with code " + sending.exitValue());
        }
    }

    /**
     * Ends the process with SIGKILL, and waits for its end.
     *
     * <p>SIGKILL also ends a suspended process.
     */
    void kill() {
        process.destroyForcibly().onExit().join();
    }
}
