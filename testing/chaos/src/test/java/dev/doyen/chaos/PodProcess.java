package dev.doyen.chaos;

import dev.doyen.jvms.JvmProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A process of {@code doyen ring}, as it runs in a pod.
 *
 * <p>The process is the shipped program, and finds the other members by the name of a Service. This class parses the
 * log of the process and adds its views and leaders to a {@link RingOutput}.
 */
final class PodProcess extends JvmProcess {

    /**
     * The script that mounts a separate resolv.conf and then runs the program. Other processes do not see this file,
     * because {@code ip netns exec} creates a mount namespace.
     */
    private static final String ENTER = "mount --bind \"$0\" /etc/resolv.conf && exec \"$@\" 2>&1";

    private static final Pattern VIEW = Pattern.compile("(\\S+) INFO election=\\S+ view ([0-9]+) has \\[([^]]*)]");
    private static final Pattern LEADER =
            Pattern.compile("(\\S+) INFO election=\\S+" + " (?:nobody leads|\"([^\"]+)\" leads in term ([0-9]+))");

    private final String address;
    private final List<String> unread = new ArrayList<>();

    private PodProcess(String id, String address, Process process) {
        super(id, process);
        this.address = address;
    }

    /**
     * Starts the process. The method does not wait until the process has joined the ring.
     *
     * @param prefix the command prefix that runs a command in the network namespace of the pod
     * @param resolver a file in the format of {@code /etc/resolv.conf}
     * @param more further arguments
     */
    static PodProcess start(
            List<String> prefix, Path resolver, String id, String address, List<String> more, RingOutput output)
            throws IOException {
        var command = new ArrayList<>(prefix);
        command.addAll(List.of("sh", "-c", ENTER, resolver.toString()));
        command.addAll(SidecarProcess.java());
        command.addAll(List.of(
                "dev.doyen.cli.Doyen",
                "ring",
                RingMember.ELECTION,
                "--dns=" + NameServer.SERVICE,
                "--listen=" + address + ":7800",
                "--id=" + id,
                "--probe-address=" + address + ":4041"));
        command.addAll(more);
        var builder = new ProcessBuilder(command);
        SidecarProcess.image().ifPresent(home -> builder.directory(home.toFile()));
        Process process = builder.start();
        var pod = new PodProcess(id, address, process);
        pod.onLine(line -> pod.note(line, output));
        return pod;
    }

    String address() {
        return address;
    }

    /** Sends SIGTERM and waits until the process has ended. */
    void delete() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(RingChaos.PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
            throw new AssertionError(id() + " has not ended; its log is " + log());
        }
    }

    /** Returns the lines of the log, without the lines about views and leaders. */
    List<String> log() {
        synchronized (unread) {
            return List.copyOf(unread);
        }
    }

    private void note(String line, RingOutput output) {
        Matcher view = VIEW.matcher(line);
        Matcher leader = LEADER.matcher(line);
        if (view.matches()) {
            String ids = view.group(3).replace(" ", "");
            output.note(id(), micros(view.group(1)) + " view " + view.group(2) + " - " + ids);
        } else if (leader.matches()) {
            String whom = leader.group(2) == null ? "- 0" : leader.group(2) + " " + leader.group(3);
            output.note(id(), micros(leader.group(1)) + " leader " + whom);
        } else {
            synchronized (unread) {
                unread.add(line);
            }
        }
    }

    private static long micros(String time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse(time));
    }
}
