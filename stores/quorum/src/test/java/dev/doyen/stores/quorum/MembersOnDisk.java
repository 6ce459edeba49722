package dev.doyen.stores.quorum;

import dev.doyen.testkit.HeldPorts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Three members in this JVM, each with a directory, a port of loopback and threads of its own. Threads: one. */
final class MembersOnDisk implements AutoCloseable {

    static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static final String SECRET = "a secret of the members, known to nobody else";

    private final List<String> addresses = new ArrayList<>();
    private final List<Path> directories = new ArrayList<>();
    private final List<@Nullable OpenMember> members = new ArrayList<>();
    private final HeldPorts ports = HeldPorts.withAnother(1);

    MembersOnDisk(Path folder) {
        LibraryLog.off();
        for (int port : ports.take(3)) {
            addresses.add("127.0.0.1:" + port);
            directories.add(folder.resolve("member-" + members.size()));
            members.add(null);
        }
    }

    MembersOnDisk startAll() {
        for (int i = 0; i < addresses.size(); i++) {
            start(i);
        }
        return this;
    }

    void start(int number) {
        ports.release(Integer.parseInt(addresses.get(number).substring("127.0.0.1:".length())));
        members.set(number, OpenMember.open(settings(number)));
    }

    void stop(int number) {
        OpenMember member = members.set(number, null);
        if (member != null) {
            member.close();
        }
    }

    QuorumSettings settings(int number) {
        return QuorumSettings.of(addresses, addresses.get(number), directories.get(number))
                .withSecret(SECRET)
                .withTimeout(TIMEOUT);
    }

    QuorumClientSettings clientSettings() {
        return QuorumClientSettings.of(addresses).withSecret(SECRET).withTimeout(TIMEOUT);
    }

    Path directory(int number) {
        return directories.get(number);
    }

    QuorumProcess process(int number) {
        OpenMember member = members.get(number);
        if (member == null) {
            throw new IllegalStateException("member " + number + " does not run");
        }
        return member.process();
    }

    /** The number of the member that leads the log; waits for one. */
    int leader() {
        process(running()).catchUp(TIMEOUT).join();
        String address =
                process(running()).running().join().leader().orElseThrow().address();
        return addresses.indexOf(address);
    }

    /** A store that knows all that was confirmed before. Its end does not end the member. */
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
