package dev.doyen.image.driver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A process of a rehearsal with its log. {@link #close} kills the process. */
final class RunningProgram implements AutoCloseable {

    private static final int LOG_LINES = 20;
    private static final long END_WITHIN_SECONDS = 30;

    private final Process process;
    private final Path log;

    private RunningProgram(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * Starts the process with only LANG and the given environment variables.
     *
     * <p>The process does not inherit variables of the build, such as JDK_JAVA_OPTIONS, because a pod does not have
     * them.
     */
    static RunningProgram start(
            Path folder, Path log, Map<String, String> environment, List<String> java, List<String> arguments)
            throws IOException {
        var builder = new ProcessBuilder(
                        Stream.concat(java.stream(), arguments.stream()).toList())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().clear();
        builder.environment().put("LANG", "C.UTF-8");
        builder.environment().putAll(environment);
        return new RunningProgram(builder.start(), log);
    }

    long pid() {
        return process.pid();
    }

    /**
     * Waits at most 60 s until the condition holds.
     *
     * @throws IllegalStateException if the condition does not hold in time, or if the program ends first
     */
    void whileItRuns(String what, Callable<Boolean> seen) throws Exception {
        Waiting.until(what, () -> {
            if (!process.isAlive()) {
                throw failed("ended with " + process.exitValue());
            }
            return seen.call();
        });
    }

    /**
     * Ends the program with SIGTERM.
     *
     * @throws IllegalStateException if the program does not exit with code 0 within 30 s
     */
    void endByTerm() throws IOException, InterruptedException {
        process.destroy();
        checkEnd("SIGTERM");
    }

    /**
     * Waits for the end of a program that ends by itself.
     *
     * @throws IllegalStateException if the program does not exit with code 0 within 30 s
     */
    void endByItself() throws IOException, InterruptedException {
        checkEnd("its start");
    }

    private void checkEnd(String cause) throws IOException, InterruptedException {
        if (!process.waitFor(END_WITHIN_SECONDS, TimeUnit.SECONDS)) {
            throw failed("did not end within " + END_WITHIN_SECONDS + " s of " + cause);
        }
        if (process.exitValue() != 0) {
            throw failed("ended with " + process.exitValue() + " after " + cause);
        }
    }

    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }

    private IllegalStateException failed(String how) throws IOException {
        var lines = Files.readAllLines(log);
        return new IllegalStateException("the rehearsed program " + how + "; its output:\n"
                + String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size())));
    }
}
