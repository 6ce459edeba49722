package dev.doyen.benchmarks.server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Builds the command that runs a main class of the benchmarks in a separate JVM. */
public final class JavaProgram {

    /**
     * The flags of a JVM whose memory is measured. The heap grows only if necessary, and the collector has no extra
     * threads.
     */
    public static final List<String> SMALL = List.of("-XX:+UseSerialGC", "-Xms8m", "-Xmx64m");

    private JavaProgram() {}

    /**
     * Returns the builder of a process with the class path of this JVM. The caller starts the process.
     *
     * @param flags the flags of the JVM
     */
    public static ProcessBuilder of(Class<?> main, List<String> flags, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.add("-Djava.util.logging.config.file=" + System.getProperty("java.util.logging.config.file", ""));
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(main.getName());
        command.addAll(arguments);
        return new ProcessBuilder(command);
    }
}
