package dev.doyen.chaos;

import dev.doyen.jvms.JvmProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** One node of a hub with several nodes: {@code doyen hub} in a separate process. */
final class HubProcess implements AutoCloseable {

    static final String KEY = "app.id:a-secret-of-the-chaos-tests";

    private static final Pattern PORT = Pattern.compile("hub +http://[^:]+:([0-9]+)/");

    private final Process process;
    private final String address;
    private final int port;

    private HubProcess(Process process, String address, int port) {
        this.process = process;
        this.address = address;
        this.port = port;
    }

    /**
     * Starts the node, and returns when the node listens.
     *
     * @param prefix the command prefix, which can run the command in a network namespace; empty for none
     * @param address the address to listen on
     * @param data the folder with the leases of the claims, which is the same for all nodes
     */
    static HubProcess start(List<String> prefix, String address, String redisUrl, Path data, Path settings)
            throws IOException {
        var command = new ArrayList<>(prefix);
        command.addAll(JvmProcess.java(
                "-cp",
                System.getProperty("java.class.path"),
                "dev.doyen.cli.Doyen",
                "hub",
                "--bind=" + address,
                "--port=0",
                "--elector-port=0",
                "--probe-port=0",
                "--claim-ttl=4s",
                "--data=" + data.resolve("data"),
                "--store=file:" + data.resolve("claims"),
                "--settings=" + settings,
                "--nodes=" + redisUrl));
        var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("DOYEN_KEY", KEY);
        Process process = builder.start();
        var output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            var matcher = PORT.matcher(line);
            if (matcher.find()) {
                return new HubProcess(process, address, Integer.parseInt(matcher.group(1)));
            }
        }
        throw new IOException("the hub ended with " + process.exitValue() + " before it printed its address");
    }

    String url() {
        return "ws://" + address + ":" + port + "/";
    }

    /** Sends SIGKILL and waits for the end. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
