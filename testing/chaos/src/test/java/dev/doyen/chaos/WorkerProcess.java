package dev.doyen.chaos;

import dev.doyen.jvms.JvmProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A {@link Worker} in a separate JVM. */
final class WorkerProcess extends JvmProcess {

    private static final int MAX_STARTS = 5;

    private WorkerProcess(String id, Process process) {
        super(id, process);
    }

    /**
     * Starts the process, and returns when the process has joined the election.
     *
     * <p>On a busy machine, a process can end because the store does not answer in time. The method then starts another
     * process, at most {@value #MAX_STARTS} in all.
     *
     * @param prefix the command prefix, which can run the command in a network namespace; empty for none
     */
    static WorkerProcess start(
            List<String> prefix, String storeUrl, String id, long ttlMillis, String ledgerHost, int ledgerPort)
            throws IOException {
        for (int starts = 0; starts < MAX_STARTS; starts++) {
            var builder = JvmProcess.builder(
                    Worker.class,
                    List.of(storeUrl, id, Long.toString(ttlMillis), ledgerHost, Integer.toString(ledgerPort)));
            builder.command().addAll(0, prefix);
            Process process = builder.start();
            var out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            if ("joined".equals(out.readLine())) {
                return new WorkerProcess(id, process);
            }
            process.destroyForcibly();
        }
        throw new IOException("worker " + id + " did not join in " + MAX_STARTS + " starts");
    }
}
