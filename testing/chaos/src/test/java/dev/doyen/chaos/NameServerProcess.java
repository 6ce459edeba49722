package dev.doyen.chaos;

import dev.doyen.jvms.JvmProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;

/** A {@link NameServer} in a separate JVM. When a method returns, its change of the answers is in effect. */
final class NameServerProcess extends JvmProcess {

    private final BufferedReader out;

    private NameServerProcess(Process process) {
        super("dns", process);
        this.out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Starts the server, and waits until it answers. At first it answers that the name does not exist. */
    static NameServerProcess start(List<String> prefix, String address) throws IOException {
        var builder = JvmProcess.builder(NameServer.class, List.of(address));
        builder.command().addAll(0, prefix);
        var server = new NameServerProcess(builder.start());
        server.awaitDone();
        return server;
    }

    void publish(Collection<String> addresses) throws IOException {
        send("pods " + String.join(",", addresses));
    }

    /** From now on, the server sends each pod only the pod's own address. */
    void publishEachToItself() throws IOException {
        send("own");
    }

    void fail() throws IOException {
        send("fail");
    }

    void stopAnswering() throws IOException {
        send("silent");
    }

    private void send(String line) throws IOException {
        writeLine(line);
        awaitDone();
    }

    private void awaitDone() throws IOException {
        String line = out.readLine();
        if (!"done".equals(line)) {
            throw new IOException("the name server printed " + line);
        }
    }
}
