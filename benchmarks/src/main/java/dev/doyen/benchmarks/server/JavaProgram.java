package dev.doyen.benchmarks.server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts a class of the benchmarks in a JVM of its own, with the class path of this one. */
public final class JavaProgram {

    /** Flags of a JVM whose memory is measured: a heap that grows only if it must, and no threads that share its work. */
    public static final List<String> SMALL = List.of("-XX:+UseSerialGC", "-Xms8m", "-Xmx64m");

    private JavaProgram() {}

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
