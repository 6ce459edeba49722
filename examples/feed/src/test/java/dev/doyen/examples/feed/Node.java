package dev.doyen.examples.feed;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The program in a JVM of its own, which is stopped and killed; what it says is noted by the test. */
final class Node {

    private static final String HOLDS = "holds in term ";

    private final Process process;

    private Node(Process process) {
        this.process = process;
    }

    /** @param holders which node said that it holds the feed in which term */
    static Node start(List<String> options, Map<Long, Node> holders) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                FeedNode.class.getName()));
        command.addAll(options);
        var node = new Node(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(
                        Path.of("target", "nodes.log").toFile()))
                .start());
        var listener = new Thread(() -> node.listen(holders), "hears a node");
        listener.setDaemon(true);
        listener.start();
        return node;
    }

    private void listen(Map<Long, Node> holders) {
        try (var out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (line.startsWith(HOLDS)) {
                    holders.put(Long.parseLong(line.substring(HOLDS.length())), this);
                }
            }
        } catch (IOException e) {
            // It was killed, which is what it is for.
        }
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
