package dev.doyen.chaos.random;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The processes of a chaos test. One process runs at each place of the {@link ChaosTarget}.
 *
 * <p>The id of a process contains its place. Threads: one.
 */
final class ChaosProcesses implements AutoCloseable {

    private final ChaosTarget target;
    private final Settings settings;
    private final BiConsumer<String, LedgerLine> to;
    private final List<ChaosProcess> running = new ArrayList<>();
    private int started;

    /**
     * The settings of all processes.
     *
     * @param dir the directory for the ledgers and logs of the processes
     * @param seed the seed that determines the work of the processes
     */
    record Settings(ChaosStore store, Path dir, long seed, Duration ttl, List<String> elections) {}

    /**
     * Creates the list, without processes.
     *
     * @param to the callback that receives each line of each ledger, with the id of its process
     */
    ChaosProcesses(ChaosTarget target, Settings settings, BiConsumer<String, LedgerLine> to) {
        this.target = target;
        this.settings = settings;
        this.to = to;
    }

    void startAll() throws IOException {
        for (int place = 0; place < target.places(); place++) {
            start(place);
        }
    }

    List<ChaosProcess> all() {
        return List.copyOf(running);
    }

    /** Returns the process with this id; empty if the process does not run. */
    Optional<ChaosProcess> alive(String id) {
        return running.stream()
                .filter(each -> each.id().equals(id) && each.isAlive())
                .findFirst();
    }

    /** Returns the running process that last began to lead the quorum's log. */
    Optional<ChaosProcess> logLeader() {
        return running.stream()
                .filter(each -> each.isAlive() && each.leadsLogSince().isPresent())
                .max(Comparator.comparingLong(each -> each.leadsLogSince().orElseThrow()));
    }

    /** Starts another process at the place of {@code ended}. */
    void replace(ChaosProcess ended) throws IOException {
        read();
        ended.closeLedger();
        running.remove(ended);
        start(ended.place());
    }

    /** Calls the callback for each line that the processes have appended to their ledgers since the last read. */
    void read() throws IOException {
        for (ChaosProcess each : running) {
            each.read(to);
        }
    }

    boolean haveAllJoined() {
        return running.stream().allMatch(ChaosProcess::hasJoined);
    }

    @Override
    public void close() throws IOException {
        for (ChaosProcess each : running) {
            each.close();
            each.closeLedger();
        }
    }

    private void start(int place) throws IOException {
        started++;
        String id = "p" + place + "-" + started;
        running.add(ChaosProcess.start(
                new ChaosWorker.Arguments(
                        id,
                        settings.store.sharedSession(),
                        target.url(place),
                        settings.ttl.toMillis(),
                        settings.dir.resolve(id + ".ledger"),
                        settings.seed + started,
                        settings.elections),
                place,
                target.prefix(place)));
    }
}
