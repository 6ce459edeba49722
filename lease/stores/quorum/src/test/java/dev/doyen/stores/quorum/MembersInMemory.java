package dev.doyen.stores.quorum;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Three members of a quorum in this JVM. The members have real threads, but their files and network are in memory. */
final class MembersInMemory implements AutoCloseable {

    static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final MemoryNetwork network = new MemoryNetwork();
    private final List<QuorumEndpoint> endpoints = new ArrayList<>();
    private final Map<QuorumEndpoint, Running> running = new HashMap<>();
    private final Map<QuorumEndpoint, MemoryFile> files = new HashMap<>();

    private final List<Runnable> closing = new ArrayList<>();

    private record Running(QuorumProcess process, RaftThread thread, Wire wire, ExecutorService announcer) {}

    MembersInMemory() {
        LibraryLog.off();
        for (String name : List.of("a", "b", "c")) {
            var endpoint = new QuorumEndpoint(name, name + ":7800", "directory of " + name);
            endpoints.add(endpoint);
            files.put(endpoint, new MemoryFile());
        }
        endpoints.forEach(this::start);
    }

    MemoryNetwork network() {
        return network;
    }

    List<QuorumEndpoint> endpoints() {
        return endpoints;
    }

    QuorumProcess process(int number) {
        return running.get(endpoints.get(number)).process();
    }

    MemoryFile file(int number) {
        return files.get(endpoints.get(number));
    }

    /** Returns the records of a member's journal. */
    List<byte[]> records(int number) {
        var records = new CompletableFuture<List<byte[]>>();
        running.get(endpoints.get(number))
                .thread()
                .execute(() -> records.complete(file(number).records()));
        return records.join();
    }

    /** Opens a store on one of the members. Closing the store does not stop the member. */
    QuorumLeaseStore store(int number) {
        QuorumProcess process = process(number);
        process.complete().join();
        process.catchUp(TIMEOUT).join();
        return new QuorumLeaseStore(process, TIMEOUT, () -> {});
    }

    /** Waits for a leader of the log, and returns its number. */
    int leader() {
        process(0).catchUp(TIMEOUT).join();
        QuorumEndpoint leader = process(0).running().join().leader().current().orElseThrow();
        return endpoints.indexOf(leader);
    }

    /**
     * Starts a client at this address. The client can connect to all members, and disconnects from a silent member
     * after a quarter of the timeout.
     */
    QuorumClient client(String address, Duration timeout) {
        var thread = new RaftThread("client " + address);
        ExecutorService announcer = Executors.newSingleThreadExecutor();
        var client = new QuorumClient(
                endpoints.stream().map(QuorumEndpoint::address).toList(),
                timeout,
                thread,
                network.wire(address),
                announcer,
                new Random());
        client.start();
        closing.add(() -> {
            client.close();
            thread.close();
            announcer.shutdown();
        });
        return client;
    }

    void start(int number) {
        start(endpoints.get(number));
    }

    /** Kills the member and simulates a power loss. Records that were not durable yet can be lost. */
    void kill(int number, Random random) {
        QuorumEndpoint endpoint = endpoints.get(number);
        Running ended = running.remove(endpoint);
        ended.thread.close();
        ended.wire.close();
        ended.announcer.shutdown();
        files.compute(endpoint, (each, file) -> file.afterPowerLoss(random));
    }

    @Override
    public void close() {
        closing.forEach(Runnable::run);
        running.values().forEach(each -> {
            each.process.close();
            each.thread.close();
            each.announcer.shutdown();
        });
        network.close();
    }

    private void start(QuorumEndpoint endpoint) {
        var thread = new RaftThread("raft " + endpoint.name());
        Wire wire = network.wire(endpoint.address());
        ExecutorService announcer = Executors.newSingleThreadExecutor();
        var process = new QuorumProcess(
                endpoints.stream().map(QuorumEndpoint::address).toList(),
                new MemberEnvironment(
                        endpoint,
                        new RaftJournal(files.get(endpoint)),
                        thread,
                        wire,
                        announcer,
                        new Random(),
                        RaftSettings.COMMITS_PER_SNAPSHOT,
                        RaftSettings.KEPT_ENTRIES));
        running.put(endpoint, new Running(process, thread, wire, announcer));
        process.start();
    }
}
