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
     * Starts the process. The method does not wait until the process has joined the ring.
     *
     * @param prefix the command prefix, which can run the command in a network namespace; empty for none
     */
    static RingProcess start(
            List<String> prefix, String id, String own, List<String> peers, String secret, RingOutput output)
            throws IOException {
        var arguments = List.of(id, own, String.join(",", peers), secret);
        var builder = JvmProcess.builder(RingMember.class, arguments);
        builder.command().addAll(0, prefix);
        var member = new RingProcess(id, builder.start());
        member.onLine(line -> output.note(id, line));
        return member;
    }

    /** Makes the member close its election, leave the ring and exit. The method does not wait. */
    void leave() throws IOException {
        writeLine(RingMember.CLOSE);
    }

    /** Makes this member hand over to the member with the id {@code successor}. This member must be the leader. */
    void handOver(String successor) throws IOException {
        writeLine(RingMember.TRANSFER + successor);
    }

    /** Waits until the process has ended by itself. */
    void awaitEnd() throws InterruptedException {
        if (!process.waitFor(RingChaos.PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
            throw new AssertionError(id() + " has not ended");
        }
    }
}
