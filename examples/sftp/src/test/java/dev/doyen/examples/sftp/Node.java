package dev.doyen.examples.sftp;

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

    private static final String LEADS = "leads in term ";

    private final Process process;

    private Node(Process process) {
        this.process = process;
    }

    /** @param leaders which node said that it leads in which term */
    static Node start(Sandbox sandbox, String id, String ttl, Map<Long, Node> leaders) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                PaymentImport.class.getName(),
                "--id",
                id,
                "--ttl",
                ttl));
        command.addAll(sandbox.options());
        var builder = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(
                        Path.of("target", "nodes.log").toFile()));
        builder.environment().put("SFTP_PASSWORD", Sandbox.PASSWORD);
        var node = new Node(builder.start());
        var listener = new Thread(() -> node.listen(leaders), "hears " + id);
        listener.setDaemon(true);
        listener.start();
        return node;
    }

    private void listen(Map<Long, Node> leaders) {
        try (var out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (line.startsWith(LEADS)) {
                    leaders.put(Long.parseLong(line.substring(LEADS.length())), this);
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
