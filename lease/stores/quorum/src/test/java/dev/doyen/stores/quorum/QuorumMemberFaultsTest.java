package dev.doyen.stores.quorum;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.ForwardingLeaseStore;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import dev.doyen.testkit.HeldPorts;
import dev.doyen.testkit.RunningServer;
import dev.doyen.testkit.ServerFaultContract;
import dev.doyen.testkit.TcpProxy;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;

/**
 * Tests stores that are members of the quorum, while the voters are killed, frozen or unreachable.
 *
 * <p>The three voters are processes. Each store is a learner in this JVM. Therefore no store leads the log, and only
 * the voters decide.
 */
class QuorumMemberFaultsTest extends ServerFaultContract {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final HeldPorts ports = HeldPorts.withAnother(1);

    /** The proxies. The key of each proxy is the port that {@link ServerFaultContract} uses for it. */
    private final Map<Integer, ProxyOfMember> proxies = new HashMap<>();

    private List<String> voters = List.of();

    /**
     * A proxy between all voters and one store.
     *
     * @param port the port on which the store listens
     */
    private record ProxyOfMember(TcpProxy proxy, int port) {

        /** Returns the address at which the voters reach the store. */
        String self() {
            return address(proxy.port(3));
        }

        /** Returns a map from each voter's own address to the proxy's address for this voter. */
        Map<String, String> detours(List<String> voters) {
            Map<String, String> detours = new HashMap<>();
            for (int i = 0; i < voters.size(); i++) {
                detours.put(voters.get(i), address(proxy.port(i)));
            }
            return detours;
        }
    }

    @AfterEach
    void release() {
        ports.close();
    }

    @Override
    protected RunningServer startServer() throws Exception {
        MemberProcesses started = MemberProcesses.start(data);
        voters = started.addresses();
        try (QuorumAdmin admin = admin()) {
            // Wait until the quorum is founded.
            admin.members();
        }
        return started;
    }

    @Override
    protected TcpProxy proxy(RunningServer server) throws Exception {
        int port = ports.take(1).get(0);
        List<Integer> servers =
                voters.stream().map(each -> MemberAddress.of(each).port()).toList();
        // The voters send the log to the store over connections that they open themselves. The proxy cuts these
        // connections too. While they are open, the proxy drops none of their frames. If the proxy dropped the leader's
        // heartbeats, the store would have no known leader and would send no write.
        var proxy = new TcpProxy(servers, List.of(port));
        proxies.put(proxy.port(), new ProxyOfMember(proxy, port));
        return proxy;
    }

    /** Adds a learner to the quorum, and returns the learner's store. */
    @Override
    protected LeaseStore open(int port) {
        ProxyOfMember proxied = proxies.get(port);
        int listening = proxied == null ? ports.take(1).get(0) : proxied.port();
        String self = proxied == null ? address(listening) : proxied.self();
        ports.release(listening);
        try {
            return learner(self, address(listening), proxied == null ? Map.of() : proxied.detours(voters));
        } catch (Exception e) {
            throw new IllegalStateException("the learner " + self + " could not be added", e);
        }
    }

    private LeaseStore learner(String self, String listen, Map<String, String> detours) throws Exception {
        QuorumDirectory directory = QuorumDirectory.open(
                data.resolve("learner-" + MemberAddress.of(self).port()));
        var thread = new RaftThread("raft " + self);
        ExecutorService announcer = OpenMember.announcer();
        var wire = new WireWithDetours(
                TcpWire.listening(self, Optional.of(listen), Optional.empty(), WireSystem.DEFAULT), detours);
        var process = new QuorumProcess(
                voters,
                new MemberEnvironment(
                        new QuorumEndpoint(self, self, directory.id()),
                        directory.journal(),
                        thread,
                        wire,
                        announcer,
                        new Random(),
                        RaftSettings.COMMITS_PER_SNAPSHOT,
                        RaftSettings.KEPT_ENTRIES));
        process.start();
        var store = new QuorumLeaseStore(process, TIMEOUT, () -> {
            process.close();
            thread.close();
            announcer.shutdown();
            close(directory);
        });
        try (QuorumAdmin admin = admin()) {
            admin.addLearner(self, step -> {});
            process.complete().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            store.close();
            throw e;
        }
        return new SettledStore(store, process);
    }

    private static void close(QuorumDirectory directory) {
        try {
            directory.close();
        } catch (IOException e) {
            throw new IllegalStateException("the directory of a learner was not closed", e);
        }
    }

    private QuorumAdmin admin() {
        return QuorumAdmin.connect(QuorumClientSettings.of(voters), PATIENCE);
    }

    private static String address(int port) {
        return "127.0.0.1:" + port;
    }

    /**
     * A store that delays each read until its member has all records. The delay also ends if the member has had no
     * leader for the timeout.
     *
     * <p>A member reads from its own copy without a message. So directly after a fault or after another member's write,
     * a read can return an older record.
     */
    private static final class SettledStore extends ForwardingLeaseStore {

        private final QuorumProcess process;

        SettledStore(LeaseStore store, QuorumProcess process) {
            super(store);
            this.process = process;
        }

        @Override
        public VersionedLease read(String election) {
            settle();
            return behind().read(election);
        }

        @Override
        public Map<String, VersionedLease> readAll(Collection<String> elections) {
            settle();
            return behind().readAll(elections);
        }

        @Override
        public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
            return behind().compareAndSet(election, expected, next);
        }

        @Override
        public List<CasOutcome> compareAndSetAll(List<LeaseStore.Write> writes) {
            return behind().compareAndSetAll(writes);
        }

        private void settle() {
            LogLeader leader = process.running().join().leader();
            Waiting.until(
                    "the member has all records, or has known no leader for its timeout",
                    () -> hasAll()
                            || (leader.current().isEmpty()
                                    && leader.unknownFor().compareTo(TIMEOUT) > 0));
        }

        private boolean hasAll() {
            return process.catchUp(TIMEOUT)
                    .handle((done, failure) -> failure == null)
                    .join();
        }
    }

    /** A wire that replaces the addresses to which the process sends frames. */
    private record WireWithDetours(Wire wire, Map<String, String> detours) implements Wire {

        @Override
        public void start(Receiver receiver) {
            Map<String, String> origins = new HashMap<>();
            detours.forEach((origin, detour) -> origins.put(detour, origin));
            wire.start(new Receiver() {
                @Override
                public void receive(Peer from, byte[] frame) {
                    receiver.receive(from, frame);
                }

                @Override
                public void lost(String address) {
                    receiver.lost(origins.getOrDefault(address, address));
                }

                @Override
                public void ended(Peer from) {
                    receiver.ended(from);
                }
            });
        }

        @Override
        public Peer peer(String address) {
            return wire.peer(detours.getOrDefault(address, address));
        }

        @Override
        public boolean isReachable(String address) {
            return wire.isReachable(detours.getOrDefault(address, address));
        }

        @Override
        public void close() {
            wire.close();
        }
    }
}
