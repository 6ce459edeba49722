package dev.doyen.stores.quorum;

import dev.doyen.testkit.HeldPorts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Three members in this JVM, each with its own directory, port on loopback, and threads. More processes can be added
 * later. Threads: one.
 */
final class MembersOnDisk implements AutoCloseable {

    static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static final int FOUNDERS = 3;

    private static final String SECRET = "a secret of the members, known to nobody else";

    private final List<String> addresses = new ArrayList<>();
    private final List<Path> directories = new ArrayList<>();
    private final List<@Nullable OpenMember> members = new ArrayList<>();
    private final HeldPorts ports = HeldPorts.withAnother(1);
    private boolean hasSecret = true;

    MembersOnDisk(Path folder) {
        this(folder, 0);
    }

    /**
     * Creates the members without starting them.
     *
     * @param spares the number of processes outside the member list; they are numbered from 3
     */
    MembersOnDisk(Path folder, int spares) {
        LibraryLog.off();
        for (int port : ports.take(FOUNDERS + spares)) {
            addresses.add("127.0.0.1:" + port);
            directories.add(folder.resolve("member-" + members.size()));
            members.add(null);
        }
    }

    /**
     * Configures the members without a secret, and returns this object. Without a secret, no process derives a key. The
     * derivation would take a fraction of a second.
     */
    MembersOnDisk withoutSecret() {
        hasSecret = false;
        return this;
    }

    MembersOnDisk startAll() {
        for (int i = 0; i < FOUNDERS; i++) {
            start(i);
        }
        return this;
    }

    void start(int number) {
        ports.release(Integer.parseInt(addresses.get(number).substring("127.0.0.1:".length())));
        members.set(number, OpenMember.open(settings(number), WireSystem.DEFAULT));
    }

    void stop(int number) {
        OpenMember member = members.set(number, null);
        if (member != null) {
            member.close();
        }
    }

    QuorumSettings settings(int number) {
        QuorumSettings settings = QuorumSettings.of(
                        addresses.subList(0, FOUNDERS), addresses.get(number), directories.get(number))
                .withTimeout(TIMEOUT);
        return hasSecret ? settings.withSecret(SECRET) : settings;
    }

    QuorumClientSettings clientSettings() {
        QuorumClientSettings settings =
                QuorumClientSettings.of(addresses.subList(0, FOUNDERS)).withTimeout(TIMEOUT);
        return hasSecret ? settings.withSecret(SECRET) : settings;
    }

    String address(int number) {
        return addresses.get(number);
    }

    QuorumAdmin admin(Duration limit) {
        return QuorumAdmin.connect(clientSettings(), limit);
    }

    /** Stops the process and gives it a new directory for its next start. */
    void replaceDirectory(int number) {
        stop(number);
        Path old = directories.get(number);
        directories.set(number, old.resolveSibling(old.getFileName() + "-new"));
    }

    Path directory(int number) {
        return directories.get(number);
    }

    boolean isRunning(int number) {
        return members.get(number) != null;
    }

    QuorumProcess process(int number) {
        OpenMember member = members.get(number);
        if (member == null) {
            throw new IllegalStateException("member " + number + " does not run");
        }
        return member.process();
    }

    /** Waits for a leader of the log, and returns its number. */
    int leader() {
        process(running()).catchUp(TIMEOUT).join();
        String address = process(running())
                .running()
                .join()
                .leader()
                .current()
                .orElseThrow()
                .address();
        return addresses.indexOf(address);
    }

    /**
     * Opens a store on a member after the member has received all confirmed writes. Closing the store does not stop the
     * member.
     */
    QuorumLeaseStore store(int number) {
        QuorumProcess process = process(number);
        process.complete().join();
        process.catchUp(TIMEOUT).join();
        return new QuorumLeaseStore(process, TIMEOUT, () -> {});
    }

    @Override
    public void close() {
        for (int i = 0; i < members.size(); i++) {
            stop(i);
        }
        ports.close();
    }

    private int running() {
        for (int i = 0; i < members.size(); i++) {
            if (members.get(i) != null) {
                return i;
            }
        }
        throw new IllegalStateException("no member runs");
    }
}
