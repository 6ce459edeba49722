package dev.doyen.drills;

import dev.doyen.jvms.JvmProcess;
import java.io.IOException;
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
     */
    static RingProcess start(
            List<String> prefix, String id, String own, List<String> peers, String secret, RingSayings sayings)
            throws IOException {
        var arguments = List.of(id, own, String.join(",", peers), secret);
        var builder = JvmProcess.builder(RingMember.class, arguments);
        builder.command().addAll(0, prefix);
        var member = new RingProcess(id, builder.start());
        member.hear(line -> sayings.note(id, line));
        return member;
    }

    /** Lets it close its election and leave. */
    void leave() throws IOException {
        say(RingMember.CLOSE);
    }

    /** Lets it, as the leader, hand over to this member. */
    void handOver(String heir) throws IOException {
        say(RingMember.TRANSFER + heir);
    }

    /** Waits until it has ended by itself. */
    void awaitEnd() throws InterruptedException {
        if (!process.waitFor(RingDrill.PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
            throw new AssertionError(id() + " has not ended");
        }
    }
}
