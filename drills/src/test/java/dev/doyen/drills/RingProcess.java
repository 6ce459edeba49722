package dev.doyen.drills;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A {@link RingMember} in a JVM of its own. */
final class RingProcess extends JvmProcess {

    private RingProcess(String id, Process process) {
        super(id, process);
    }

    /**
     * Does not wait for it to join.
     *
     * @param prefix a command to run the JVM under, such as one that enters a network namespace
     * @param voting what else {@link RingMember} wants in quorum mode; nothing in AP mode
     */
    static RingProcess start(
            List<String> prefix,
            String id,
            String own,
            List<String> peers,
            String secret,
            List<String> voting,
            RingSayings sayings)
            throws IOException {
        var arguments = new ArrayList<>(List.of(id, own, String.join(",", peers), secret));
        arguments.addAll(voting);
        Process process = launch(prefix, RingMember.class, arguments);
        var member = new RingProcess(id, process);
        var reading = new Thread(() -> member.read(sayings), "read-" + id);
        reading.setDaemon(true);
        reading.start();
        return member;
    }

    /** Lets it close its election and leave. */
    void leave() throws IOException {
        ask(RingMember.CLOSE);
    }

    /** Says this line to it. */
    void ask(String what) throws IOException {
        process.getOutputStream().write((what + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    /** Waits until it has ended by itself, and returns its exit code. */
    int awaitEnd() throws InterruptedException {
        if (!process.waitFor(RingDrill.PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
            throw new AssertionError(id() + " has not ended");
        }
        return process.exitValue();
    }

    private void read(RingSayings sayings) {
        try (var out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                sayings.note(id(), line);
            }
        } catch (IOException e) {
            // Whoever kills it closes the pipe, too. Of one that was not killed, nothing more is heard: waiting for
            // that fails.
        }
    }
}
