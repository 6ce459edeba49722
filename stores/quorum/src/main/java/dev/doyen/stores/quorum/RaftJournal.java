package dev.doyen.stores.quorum;

import static dev.doyen.stores.quorum.RaftBytes.MODEL;

import io.microraft.RaftEndpoint;
import io.microraft.model.log.LogEntry;
import io.microraft.model.log.RaftGroupMembersView;
import io.microraft.model.log.SnapshotChunk;
import io.microraft.model.log.SnapshotEntry;
import io.microraft.model.persistence.RaftEndpointPersistentState;
import io.microraft.model.persistence.RaftTermPersistentState;
import io.microraft.persistence.RaftStore;
import io.microraft.persistence.RestoredRaftState;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what a member of a quorum must not forget: its own name, the group, the term with its vote, the log, and the newest
 * snapshot. MicroRaft calls it on the Raft thread before it sends a message that depends on it.
 *
 * <p>This class knows only what it could write. After the first fault of the file nothing is certain. Then each call
 * fails, and {@link #failure} is completed, so that the member stops.
 */
final class RaftJournal implements RaftStore {

    private static final int GROUP = 1;
    private static final int SELF = 2;
    private static final int FIRST_MEMBERS = 3;
    private static final int TERM = 4;
    private static final int ENTRY = 5;
    private static final int PART = 6;
    private static final int CUT = 7;
    private static final int DIRECTORY = 8;

    private static final System.Logger LOG = System.getLogger("dev.doyen.stores.quorum");

    private final JournalFile file;
    private final CompletableFuture<String> failure = new CompletableFuture<>();
    private @Nullable String directory;
    private @Nullable String group;
    private List<QuorumEndpoint> founders = List.of();
    private @Nullable RaftEndpointPersistentState self;
    private @Nullable RaftGroupMembersView firstMembers;
    private @Nullable RaftTermPersistentState term;
    private final NavigableMap<Long, LogEntry> entries = new TreeMap<>();

    /** By the index of the snapshot and the number of the part. */
    private final NavigableMap<Long, NavigableMap<Integer, SnapshotChunk>> parts = new TreeMap<>();

    private long lengthWhenNew;
    private volatile boolean isClosed;

    /** @throws MalformedBytesException if a record is not one of those that this class writes */
    RaftJournal(JournalFile file) {
        this.file = file;
        file.records().forEach(record -> replay(new ByteSource(record)));
    }

    /** The records of the journal of a new directory. */
    static List<byte[]> recordsOfNew(String directory) {
        return List.of(directoryRecord(directory));
    }

    /** Completes with the reason, for users, at the first fault of the file. The member must stop then. */
    CompletableFuture<String> failure() {
        return failure;
    }

    /** The random id of the directory; empty if the journal is in none. */
    Optional<String> directory() {
        return Optional.ofNullable(directory);
    }

    /** The group that this directory belongs to; empty in a new directory. */
    Optional<String> group() {
        return Optional.ofNullable(group);
    }

    /** The founders of the group; empty in a new directory. */
    List<QuorumEndpoint> founders() {
        return founders;
    }

    /** Decides for ever which group this directory belongs to. */
    void join(String name, List<QuorumEndpoint> theirFounders) throws IOException {
        addDurably(groupRecord(name, theirFounders));
        group = name;
        founders = List.copyOf(theirFounders);
    }

    /** By how many bytes the file has grown since it was last written anew. */
    long grown() {
        return file.length() - lengthWhenNew;
    }

    /** The index of the newest snapshot; 0 without one. */
    long snapshotIndex() {
        NavigableMap<Integer, SnapshotChunk> newest = newestParts();
        return newest.isEmpty() ? 0 : newest.firstEntry().getValue().getIndex();
    }

    /** The index of the last entry, whether in the log or in the snapshot. */
    long lastIndex() {
        return entries.isEmpty() ? snapshotIndex() : Math.max(entries.lastKey(), snapshotIndex());
    }

    /** The state of the member when it stopped; empty if it never was a member. */
    Optional<RestoredRaftState> restored() {
        if (self == null || firstMembers == null) {
            return Optional.empty();
        }
        RaftTermPersistentState last = term == null
                ? MODEL.createRaftTermPersistentStateBuilder().setTerm(0).build()
                : term;
        @Nullable SnapshotEntry snapshot = newestSnapshot();
        return Optional.of(
                snapshot == null
                        ? new RestoredRaftState(self, firstMembers, last, null, new ArrayList<>(entries.values()))
                        : behind(snapshot, self.getLocalEndpoint(), last));
    }

    /**
     * The first list of members and the vote are those of the snapshot. MicroRaft 0.7 would compare the founders with the
     * list of the snapshot. If this member's vote differs between them, then an assertion fails, or MicroRaft tries to
     * write before it has its store. A change of members behind the snapshot is still applied to the list.
     */
    private RestoredRaftState behind(SnapshotEntry snapshot, RaftEndpoint endpoint, RaftTermPersistentState last) {
        RaftGroupMembersView members = snapshot.getGroupMembersView();
        return new RestoredRaftState(
                MODEL.createRaftEndpointPersistentStateBuilder()
                        .setLocalEndpoint(endpoint)
                        .setVoting(members.getVotingMembers().contains(endpoint))
                        .build(),
                MODEL.createRaftGroupMembersViewBuilder()
                        .setLogIndex(0)
                        .setMembers(members.getMembers())
                        .setVotingMembers(members.getVotingMembers())
                        .build(),
                last,
                snapshot,
                new ArrayList<>(entries.values()));
    }

    @Override
    public void persistAndFlushLocalEndpoint(RaftEndpointPersistentState endpoint) throws IOException {
        addDurably(selfRecord(endpoint));
        self = endpoint;
    }

    @Override
    public void persistAndFlushInitialGroupMembers(RaftGroupMembersView members) throws IOException {
        addDurably(firstMembersRecord(members));
        firstMembers = members;
    }

    @Override
    public void persistAndFlushTerm(RaftTermPersistentState next) throws IOException {
        addDurably(termRecord(next));
        term = next;
    }

    @Override
    public void persistLogEntries(List<LogEntry> added) throws IOException {
        for (LogEntry entry : added) {
            guarded(() -> file.append(entryRecord(entry)));
            entries.put(entry.getIndex(), entry);
        }
    }

    @Override
    public void persistSnapshotChunk(SnapshotChunk part) throws IOException {
        guarded(() -> file.append(partRecord(part)));
        add(part);
    }

    @Override
    public void truncateLogEntriesFrom(long index) throws IOException {
        guarded(() -> file.append(new ByteSink().one(CUT).longNumber(index).bytes()));
        entries.tailMap(index, true).clear();
    }

    /**
     * Writes the file anew. Entries at the beginning of the log end here, and older snapshots. MicroRaft keeps
     * entries in front of the snapshot in memory, for members that are late. It does not restore them, so they are
     * not written.
     */
    @Override
    public void truncateLogEntriesUntil(long index) throws IOException {
        entries.headMap(Math.max(index, snapshotIndex()), true).clear();
        parts.headMap(snapshotIndex(), false).clear();
        guarded(() -> file.replace(records()));
        lengthWhenNew = file.length();
    }

    /** Only parts of a snapshot that never became complete. {@link #newestSnapshot} takes no notice of them. */
    @Override
    public void deleteSnapshotChunks(long index, int count) {
        parts.remove(index);
    }

    @Override
    public void flush() throws IOException {
        guarded(file::force);
    }

    /** Threads: any. Later calls fail, but are no fault. */
    void close() throws IOException {
        isClosed = true;
        file.close();
    }

    private void addDurably(byte[] record) throws IOException {
        guarded(() -> {
            file.append(record);
            file.force();
        });
    }

    private void guarded(FileAction action) throws IOException {
        if (isClosed || failure.isDone()) {
            throw new IOException(failure.getNow("the journal is closed"));
        }
        try {
            action.run();
        } catch (IOException | RuntimeException | Error e) {
            if (!isClosed) {
                failed(e);
            }
            throw e;
        }
    }

    private void failed(Throwable fault) {
        String reason = "this member of the quorum has stopped, because its journal cannot be written: " + fault
                + ". Free space or check the disk, then start the process again";
        LOG.log(Level.ERROR, reason, fault);
        failure.complete(reason);
    }

    private @Nullable SnapshotEntry newestSnapshot() {
        NavigableMap<Integer, SnapshotChunk> newest = newestParts();
        if (newest.isEmpty()) {
            return null;
        }
        SnapshotChunk first = newest.firstEntry().getValue();
        return MODEL.createSnapshotEntryBuilder()
                .setIndex(first.getIndex())
                .setTerm(first.getTerm())
                .setSnapshotChunks(new ArrayList<>(newest.values()))
                .setGroupMembersView(first.getGroupMembersView())
                .build();
    }

    /** Other members cut the same snapshot into the same parts, unless their version is another one. */
    private void add(SnapshotChunk part) {
        NavigableMap<Integer, SnapshotChunk> known = parts.computeIfAbsent(part.getIndex(), index -> new TreeMap<>());
        known.values().removeIf(each -> each.getSnapshotChunkCount() != part.getSnapshotChunkCount());
        known.put(part.getSnapshotChunkIndex(), part);
    }

    /** The parts of the newest snapshot that is complete; empty without one. */
    private NavigableMap<Integer, SnapshotChunk> newestParts() {
        for (NavigableMap<Integer, SnapshotChunk> each : parts.descendingMap().values()) {
            if (each.size() == each.firstEntry().getValue().getSnapshotChunkCount()) {
                return each;
            }
        }
        return Collections.emptyNavigableMap();
    }

    /** All that is still needed. */
    private List<byte[]> records() {
        List<byte[]> records = new ArrayList<>();
        if (directory != null) {
            records.add(directoryRecord(directory));
        }
        if (group != null) {
            records.add(groupRecord(group, founders));
        }
        if (self != null) {
            records.add(selfRecord(self));
        }
        if (firstMembers != null) {
            records.add(firstMembersRecord(firstMembers));
        }
        if (term != null) {
            records.add(termRecord(term));
        }
        parts.values().forEach(each -> each.values().forEach(part -> records.add(partRecord(part))));
        entries.values().forEach(entry -> records.add(entryRecord(entry)));
        return records;
    }

    private void replay(ByteSource record) {
        int kind = record.one();
        switch (kind) {
            case GROUP -> {
                group = record.text();
                founders = record.all(QuorumEndpoint::read);
            }
            case SELF ->
                self = MODEL.createRaftEndpointPersistentStateBuilder()
                        .setLocalEndpoint(QuorumEndpoint.read(record))
                        .setVoting(record.flag())
                        .build();
            case FIRST_MEMBERS -> firstMembers = RaftBytes.readMembers(record);
            case TERM ->
                term = MODEL.createRaftTermPersistentStateBuilder()
                        .setTerm(record.number())
                        .setVotedFor(record.flag() ? QuorumEndpoint.read(record) : null)
                        .build();
            case ENTRY -> {
                LogEntry entry = RaftBytes.readEntry(record);
                entries.put(entry.getIndex(), entry);
            }
            case PART -> add(RaftBytes.readPart(record));
            case DIRECTORY -> directory = record.text();
            case CUT -> entries.tailMap(record.longNumber(), true).clear();
            default -> throw new MalformedBytesException("a record of the journal is of kind " + kind);
        }
        record.end();
    }

    private static byte[] directoryRecord(String id) {
        return new ByteSink().one(DIRECTORY).text(id).bytes();
    }

    private static byte[] groupRecord(String name, List<QuorumEndpoint> founders) {
        return new ByteSink()
                .one(GROUP)
                .text(name)
                .all(founders, QuorumEndpoint::write)
                .bytes();
    }

    private static byte[] selfRecord(RaftEndpointPersistentState self) {
        var sink = new ByteSink().one(SELF);
        QuorumEndpoint.write(sink, self.getLocalEndpoint());
        return sink.flag(self.isVoting()).bytes();
    }

    private static byte[] firstMembersRecord(RaftGroupMembersView members) {
        var sink = new ByteSink().one(FIRST_MEMBERS);
        RaftBytes.writeMembers(sink, members);
        return sink.bytes();
    }

    private static byte[] termRecord(RaftTermPersistentState term) {
        var sink = new ByteSink().one(TERM).number(term.getTerm());
        @Nullable RaftEndpoint vote = term.getVotedFor();
        sink.flag(vote != null);
        if (vote != null) {
            QuorumEndpoint.write(sink, vote);
        }
        return sink.bytes();
    }

    private static byte[] entryRecord(LogEntry entry) {
        var sink = new ByteSink().one(ENTRY);
        RaftBytes.writeEntry(sink, entry);
        return sink.bytes();
    }

    private static byte[] partRecord(SnapshotChunk part) {
        var sink = new ByteSink().one(PART);
        RaftBytes.writePart(sink, part);
        return sink.bytes();
    }

    @FunctionalInterface
    private interface FileAction {
        void run() throws IOException;
    }
}
