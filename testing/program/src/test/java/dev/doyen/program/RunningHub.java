package dev.doyen.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.elector.http.RawWebSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A {@code doyen hub} process with a settings file, on free ports of loopback. */
final class RunningHub implements AutoCloseable {

    private static final Pattern HUB = Pattern.compile("hub +http://localhost:([0-9]+)/");
    private static final Pattern CONSOLE = Pattern.compile("console +http://localhost:[0-9]+/console/#key=(\\S+)");
    private static final Pattern PROBES = Pattern.compile("http://localhost:([0-9]+)/metrics");

    private final RunningDoyen process;
    private final Path settings;
    private final int port;
    private final String adminKey;
    private final int probePort;

    private RunningHub(RunningDoyen process, Path settings) throws InterruptedException {
        this.process = process;
        this.settings = settings;
        port = Integer.parseInt(found(HUB, process.awaitLine("  hub ")));
        adminKey = found(CONSOLE, process.awaitLine("  console "));
        probePort = Integer.parseInt(found(PROBES, process.awaitLine("  probes ")));
    }

    /**
     * Starts a hub, and waits until it has printed its addresses.
     *
     * @param folder the folder for the settings file and the data of the hub
     * @param settings the content of the settings file, in YAML
     */
    static RunningHub start(Path folder, String settings) throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve("hub.yaml"), settings);
        RunningDoyen process = new RunningDoyen(new ProcessBuilder(
                RunningDoyen.serverCommandLine("hub", folder.resolve("data"), "--settings", file.toString())));
        return new RunningHub(process, file);
    }

    private static String found(Pattern pattern, String line) {
        Matcher matcher = pattern.matcher(line);
        assertThat(matcher.find()).as(line).isTrue();
        return matcher.group(1);
    }

    /** Returns the port of the hub. */
    int port() {
        return port;
    }

    int probePort() {
        return probePort;
    }

    /** Returns the admin key that this run of the hub has printed. */
    String adminKey() {
        return adminKey;
    }

    /** Replaces the content of the settings file. Then sends SIGHUP, so that the hub reads the file again. */
    void reload(String changed) throws IOException, InterruptedException {
        Files.writeString(settings, changed);
        process.signal("HUP");
    }

    /** Reads log messages of the hub up to a message that contains this text. */
    void awaitLog(String part) throws InterruptedException {
        process.awaitOutput(part);
    }

    /** Connects the client {@code ann} with this key. */
    RawWebSocket connect(String key) throws IOException {
        return connect(key, "ann");
    }

    /** Connects a client with this key and id. */
    RawWebSocket connect(String key, String clientId) throws IOException {
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        return new RawWebSocket(address, "?key=" + key + "&clientId=" + clientId + "&v=4&format=json");
    }

    @Override
    public void close() throws InterruptedException {
        process.close();
    }
}
