package dev.doyen.chaos;

import dev.doyen.jvms.JvmProcess;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A {@link RingMember} in a separate JVM. */
final class RingProcess extends JvmProcess {

    private RingProcess(String id, Process process) {
        super(id, process);
    }

    /**
     * Starts the process, and does not wait until it has joined.
     *
     * @param prefix the words before the command, such as those that enter a network namespace
     */
    static RingProcess start(
            List<String> prefix, String id, String own, List<String> peers, String secret, RingOutput output)
            throws IOException {
        var arguments = List.of(id, own, String.join(",", peers), secret);
        var builder = JvmProcess.builder(RingMember.class, arguments);
        builder.command().addAll(0, prefix);
        var member = new RingProcess(id, builder.start());
        member.hear(line -> output.note(id, line));
        return member;
    }

    /** Asks it to close its election and leave. */
    void leave() throws IOException {
        say(RingMember.CLOSE);
    }

    /** Asks it, as the leader, to hand over to this member. */
    void handOver(String successor) throws IOException {
        say(RingMember.TRANSFER + successor);
    }

    /** Waits until it has ended by itself. */
    void awaitEnd() throws InterruptedException {
        if (!process.waitFor(RingChaos.PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
            throw new AssertionError(id() + " has not ended");
        }
    }
}
