package dev.doyen.drills.chaos;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/** The processes of a chaos test, one in each place of the site. Threads: one. */
final class ChaosProcesses implements AutoCloseable {

    private final ChaosSite site;
    private final Starter starter;
    private final BiConsumer<String, LedgerLine> to;
    private final List<ChaosProcess> running = new ArrayList<>();
    private int started;

    /** Starts the process with this id in this place. */
    interface Starter {
        ChaosProcess start(String id, int number, int place) throws IOException;
    }

    /** @param to takes each line of each ledger, with the id of its process */
    ChaosProcesses(ChaosSite site, Starter starter, BiConsumer<String, LedgerLine> to) {
        this.site = site;
        this.starter = starter;
        this.to = to;
    }

    void startAll() throws IOException {
        for (int place = 0; place < site.places(); place++) {
            start(place);
        }
    }

    List<ChaosProcess> all() {
        return List.copyOf(running);
    }

    /** The process with this id, if it runs. */
    Optional<ChaosProcess> alive(String id) {
        return running.stream()
                .filter(each -> each.id().equals(id) && each.isAlive())
                .findFirst();
    }

    /** The process that was the last one to begin to lead the log of the quorum, if it still runs. */
    Optional<ChaosProcess> logLeader() {
        return running.stream()
                .filter(each -> each.isAlive() && each.leadsLogSince().isPresent())
                .max(Comparator.comparingLong(each -> each.leadsLogSince().orElseThrow()));
    }

    /** Starts another process in the place of one that has ended. */
    void replace(ChaosProcess ended) throws IOException {
        read();
        ended.closeLedger();
        running.remove(ended);
        start(ended.place());
    }

    /** Passes on what was appended to the ledgers since the last call. */
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
        running.add(starter.start("p" + started, started, place));
    }
}
