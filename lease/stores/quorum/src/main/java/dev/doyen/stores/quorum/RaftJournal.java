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
 * Stores the state that a member must not lose. This state is the member's identity, group, term, vote, log and newest
 * snapshot.
 *
 * <p>MicroRaft calls this class on the Raft thread, before it sends a message that depends on the stored state. After
 * the first fault of the file, its content on the disk is unknown. Therefore each later write fails, and
 * {@link #failure} completes, so that the member stops.
 *
 * <p>The class is longer than most classes, because each part of the state has its own records.
 */
final class RaftJournal implements RaftStore {

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
    /** The parts of the snapshots, by snapshot index and part number. */
    private final NavigableMap<Long, NavigableMap<Integer, SnapshotChunk>> parts = new TreeMap<>();

    private boolean wasMember;
    /** The approximate length of the file without the entries, in bytes. */
    private long lengthOfRest;
    /** The index of the snapshot that the file contains. */
    private long writtenSnapshot;
    /** True if this object has rewritten the file and has added no record since then. */
    private boolean isAnew;

    private volatile boolean isClosed;

    /**
     * Reads the journal from a file.
     *
     * @throws MalformedBytesException if the file contains a record that this class does not write
     */
    RaftJournal(JournalFile file) {
        this.file = file;
        file.records().forEach(this::replay);
        writtenSnapshot = snapshotIndex();
    }

    /** Returns the first records of the journal in a new directory. */
    static List<byte[]> recordsOfNew(String directory) {
        return List.of(JournalRecords.directory(directory));
    }

    /**
     * Returns a future that completes at the first fault of the file. Its value is the reason, as a sentence for users.
     * The member must then stop.
     */
    CompletableFuture<String> failure() {
        return failure;
    }

    /** Returns the random id of the directory. The result is empty if the journal is not stored in a directory. */
    Optional<String> directory() {
        return Optional.ofNullable(directory);
    }

    /** Returns the group that this directory belongs to; empty in a new directory. */
    Optional<String> group() {
        return Optional.ofNullable(group);
    }

    /** Returns the founders of the group; empty in a new directory. */
    List<QuorumEndpoint> founders() {
        return founders;
    }

    /** Records that this directory belongs to a group. The group cannot be changed later. */
    void join(String name, List<QuorumEndpoint> theirFounders) throws IOException {
        addDurably(JournalRecords.group(name, theirFounders));
        group = name;
        founders = List.copyOf(theirFounders);
    }

    /** Returns true if this process founded the group or was in a confirmed member list. */
    boolean wasMember(QuorumEndpoint process) {
        return wasMember || founders.contains(process);
    }

    /** Records that a confirmed member list contains this process. */
    void becameMember() throws IOException {
        addDurably(JournalRecords.member());
        wasMember = true;
    }

    /** Returns the approximate size of the entries in bytes. The next snapshot makes most entries unnecessary. */
    long grown() {
        return file.length() - lengthOfRest;
    }

    /** Returns the approximate length of the file without the entries. Most of it is the current snapshot. */
    long lengthOfRest() {
        return lengthOfRest;
    }

    /** Returns the index of the newest complete snapshot; 0 if no snapshot exists. */
    long snapshotIndex() {
        NavigableMap<Integer, SnapshotChunk> newest = newestParts();
        return newest.isEmpty() ? 0 : newest.firstEntry().getValue().getIndex();
    }

    /** Returns the index of the last log entry or of the snapshot, whichever is greater. */
    long lastIndex() {
        return entries.isEmpty() ? snapshotIndex() : Math.max(entries.lastKey(), snapshotIndex());
    }

    /**
     * Returns the state that this member had when it stopped. The result is empty if no member ever ran in this
     * directory.
     */
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
     * Returns a state that begins with the snapshot. The snapshot's member list replaces the list of the founders.
     *
     * <p>If the state began with the list of the founders, MicroRaft 0.7 would compare that list with the list in the
     * snapshot. A member can be a voter in only one of the two lists. For such a member, an assertion would fail, or
     * MicroRaft would write to its store before the store is set. MicroRaft still applies the member changes after the
     * snapshot to the list in the snapshot.
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
        addDurably(JournalRecords.self(endpoint));
        self = endpoint;
    }

    @Override
    public void persistAndFlushInitialGroupMembers(RaftGroupMembersView members) throws IOException {
        addDurably(JournalRecords.firstMembers(members));
        firstMembers = members;
    }

    @Override
    public void persistAndFlushTerm(RaftTermPersistentState next) throws IOException {
        addDurably(JournalRecords.term(next));
        term = next;
    }

    @Override
    public void persistLogEntries(List<LogEntry> added) throws IOException {
        for (LogEntry entry : added) {
            append(JournalRecords.entry(entry));
            entries.put(entry.getIndex(), entry);
        }
    }

    /**
     * Stores the part in memory until the snapshot is complete. Then {@link #flush} rewrites the file, so that the file
     * never contains two snapshots. If the member stops before the rewrite, it receives all parts again.
     */
    @Override
    public void persistSnapshotChunk(SnapshotChunk part) throws IOException {
        guarded(() -> {});
        add(part);
    }

    @Override
    public void truncateLogEntriesFrom(long index) throws IOException {
        append(JournalRecords.cut(index));
        entries.tailMap(index, true).clear();
    }

    /**
     * Removes entries at the beginning of the log, and rewrites the file without them. MicroRaft stores entries before
     * the snapshot in its own memory, for members that lag behind. MicroRaft does not restore these entries after a
     * restart, so the file does not contain them.
     */
    @Override
    public void truncateLogEntriesUntil(long index) throws IOException {
        NavigableMap<Long, LogEntry> dropped = entries.headMap(Math.max(index, snapshotIndex()), true);
        if (!isAnew || !dropped.isEmpty()) {
            dropped.clear();
            writeAnew();
        }
    }

    /** Removes the parts of a snapshot that never became complete. {@link #newestSnapshot} ignores such parts. */
    @Override
    public void deleteSnapshotChunks(long index, int count) {
        parts.remove(index);
    }

    @Override
    public void flush() throws IOException {
        if (snapshotIndex() > writtenSnapshot) {
            writeAnew();
        } else {
            guarded(file::force);
        }
    }

    /** Rewrites the file without unnecessary records. After a crash the file is either the old file or the new file. */
    private void writeAnew() throws IOException {
        entries.headMap(snapshotIndex(), true).clear();
        parts.headMap(snapshotIndex(), false).clear();
        List<byte[]> added =
                entries.values().stream().map(JournalRecords::entry).toList();
        List<byte[]> records = recordsWithoutEntries();
        records.addAll(added);
        guarded(() -> file.replace(records));
        writtenSnapshot = snapshotIndex();
        lengthOfRest =
                file.length() - added.stream().mapToLong(each -> each.length).sum();
        isAnew = true;
    }

    /** Closes the file. Later calls fail, but their failures do not count as faults of the file. Threads: any. */
    void close() throws IOException {
        isClosed = true;
        file.close();
    }

    private void append(byte[] record) throws IOException {
        isAnew = false;
        guarded(() -> file.append(record));
    }

    private void addDurably(byte[] record) throws IOException {
        isAnew = false;
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

    /**
     * Adds a part of a snapshot. Members with the same version of Doyen split a snapshot in the same way. If the new
     * part is from a different split, the method drops the earlier parts.
     */
    private void add(SnapshotChunk part) {
        NavigableMap<Integer, SnapshotChunk> known = parts.computeIfAbsent(part.getIndex(), index -> new TreeMap<>());
        known.values().removeIf(each -> each.getSnapshotChunkCount() != part.getSnapshotChunkCount());
        known.put(part.getSnapshotChunkIndex(), part);
    }

    /** Returns the parts of the newest complete snapshot; empty if no complete snapshot exists. */
    private NavigableMap<Integer, SnapshotChunk> newestParts() {
        for (NavigableMap<Integer, SnapshotChunk> each : parts.descendingMap().values()) {
            if (each.size() == each.firstEntry().getValue().getSnapshotChunkCount()) {
                return each;
            }
        }
        return Collections.emptyNavigableMap();
    }

    private List<byte[]> recordsWithoutEntries() {
        List<byte[]> records = new ArrayList<>();
        if (directory != null) {
            records.add(JournalRecords.directory(directory));
        }
        if (group != null) {
            records.add(JournalRecords.group(group, founders));
        }
        if (self != null) {
            records.add(JournalRecords.self(self));
        }
        if (firstMembers != null) {
            records.add(JournalRecords.firstMembers(firstMembers));
        }
        if (term != null) {
            records.add(JournalRecords.term(term));
        }
        if (wasMember) {
            records.add(JournalRecords.member());
        }
        newestParts().values().forEach(part -> records.add(JournalRecords.part(part)));
        return records;
    }

    private void replay(byte[] bytes) {
        var record = new ByteSource(bytes);
        int kind = record.one();
        if (kind != JournalRecords.ENTRY && kind != JournalRecords.CUT && kind != JournalRecords.TERM) {
            lengthOfRest += bytes.length;
        }
        switch (kind) {
            case JournalRecords.GROUP -> {
                group = record.text();
                founders = record.all(QuorumEndpoint::read);
            }
            case JournalRecords.SELF ->
                self = MODEL.createRaftEndpointPersistentStateBuilder()
                        .setLocalEndpoint(QuorumEndpoint.read(record))
                        .setVoting(record.flag())
                        .build();
            case JournalRecords.FIRST_MEMBERS -> firstMembers = RaftBytes.readMembers(record);
            case JournalRecords.TERM ->
                term = MODEL.createRaftTermPersistentStateBuilder()
                        .setTerm(record.number())
                        .setVotedFor(record.flag() ? QuorumEndpoint.read(record) : null)
                        .build();
            case JournalRecords.ENTRY -> {
                LogEntry entry = RaftBytes.readEntry(record);
                entries.put(entry.getIndex(), entry);
            }
            case JournalRecords.PART -> add(RaftBytes.readPart(record));
            case JournalRecords.MEMBER -> wasMember = true;
            case JournalRecords.DIRECTORY -> directory = record.text();
            case JournalRecords.CUT ->
                entries.tailMap(record.longNumber(), true).clear();
            default -> throw new MalformedBytesException("a record of the journal is of kind " + kind);
        }
        record.end();
    }

    @FunctionalInterface
    private interface FileAction {
        void run() throws IOException;
    }
}
