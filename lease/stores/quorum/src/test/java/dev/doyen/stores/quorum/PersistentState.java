package dev.doyen.stores.quorum;

import io.microraft.RaftEndpoint;
import io.microraft.model.log.LogEntry;
import io.microraft.model.log.SnapshotChunk;
import io.microraft.model.log.SnapshotEntry;
import io.microraft.persistence.RestoredRaftState;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The persistent state of a member, in a form that tests can compare.
 *
 * @param entries the entries after the snapshot, by their index
 * @param snapshot the bytes of the snapshot; empty if no snapshot exists
 */
record PersistentState(
        String directory,
        String group,
        int term,
        String vote,
        SortedMap<Long, String> entries,
        long snapshotIndex,
        String snapshot) {

    static PersistentState of(List<byte[]> records) {
        return of(new RaftJournal(MemoryFile.of(records)));
    }

    static PersistentState of(RaftJournal journal) {
        RestoredRaftState restored = journal.restored().orElse(null);
        SortedMap<Long, String> entries = new TreeMap<>();
        int term = 0;
        String vote = "";
        String snapshot = "";
        if (restored != null) {
            term = restored.getTermPersistentState().getTerm();
            RaftEndpoint voted = restored.getTermPersistentState().getVotedFor();
            vote = voted == null ? "" : voted.getId().toString();
            for (LogEntry each : restored.getLogEntries()) {
                if (each.getIndex() > journal.snapshotIndex()) {
                    entries.put(each.getIndex(), text(each));
                }
            }
            SnapshotEntry newest = restored.getSnapshotEntry();
            snapshot = newest == null ? "" : text(newest);
        }
        return new PersistentState(
                journal.directory().orElse(""),
                journal.group().orElse(""),
                term,
                vote,
                entries,
                journal.snapshotIndex(),
                snapshot);
    }

    static String text(LogEntry entry) {
        Object operation = entry.getOperation();
        return entry.getTerm() + " " + (operation instanceof byte[] bytes ? text(bytes) : operation);
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    @SuppressWarnings("unchecked")
    private static String text(SnapshotEntry snapshot) {
        return ((List<SnapshotChunk>) snapshot.getOperation())
                .stream().map(part -> text((byte[]) part.getOperation())).collect(Collectors.joining("|"));
    }
}
