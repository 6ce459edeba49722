package dev.doyen.stores.quorum;

import dev.doyen.jvms.JvmProcess;
import dev.doyen.testkit.HeldPorts;
import dev.doyen.testkit.RunningServer;
import dev.doyen.testkit.ServerProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Three members of a quorum on loopback, each in its own JVM. {@link #port} returns the port of the first member.
 * Threads: one.
 */
final class MemberProcesses implements RunningServer {

    private final HeldPorts held = HeldPorts.withAnother(1);
    private final List<ServerProcess> members = new ArrayList<>();

    private MemberProcesses() {}

    /**
     * Starts the members.
     *
     * @param folder the parent of the members' directories and logs
     */
    static MemberProcesses start(Path folder) throws Exception {
        var started = new MemberProcesses();
        List<Integer> ports = started.held.take(3);
        List<String> addresses = ports.stream().map(port -> "127.0.0.1:" + port).toList();
        try {
            for (int i = 0; i < ports.size(); i++) {
                started.held.release(ports.get(i));
                started.members.add(ServerProcess.startOn(
                        ports.get(i),
                        folder.resolve("member-" + i + ".log"),
                        JvmProcess.java(
                                "-Xmx64m",
                                "-cp",
                                System.getProperty("java.class.path"),
                                MemberProgram.class.getName(),
                                String.join(",", addresses),
                                addresses.get(i),
                                folder.resolve("member-" + i).toString())));
            }
            return started;
        } catch (Exception e) {
            started.close();
            throw e;
        }
    }

    /** Returns the processes of the members. */
    List<ServerProcess> members() {
        return members;
    }

    List<String> addresses() {
        return members.stream().map(each -> "127.0.0.1:" + each.port()).toList();
    }

    @Override
    public int port() {
        return members.get(0).port();
    }

    @Override
    public void kill() {
        members.forEach(ServerProcess::kill);
    }

    @Override
    public void restart() throws Exception {
        for (ServerProcess each : members) {
            each.restart();
        }
    }

    @Override
    public void freeze() throws Exception {
        for (ServerProcess each : members) {
            each.freeze();
        }
    }

    @Override
    public void thaw() throws Exception {
        for (ServerProcess each : members) {
            each.thaw();
        }
    }

    @Override
    public void close() {
        kill();
        held.close();
    }
}
