package dev.doyen.examples.spring;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The application in a JVM of its own, which is stopped and killed. */
final class Instance {

    private final Process process;

    private Instance(Process process) {
        this.process = process;
    }

    /** @param settings as on the command line */
    static Instance start(List<String> settings) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                InterestApplication.class.getName()));
        command.addAll(settings);
        return new Instance(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        Path.of("target", "instances.log").toFile()))
                .start());
    }

    /** SIGKILL; returns when it is dead. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** STOP, or CONT. */
    void signal(String signal) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                .start()
                .waitFor();
    }
}
