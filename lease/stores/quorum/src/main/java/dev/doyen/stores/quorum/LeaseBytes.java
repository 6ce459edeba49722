package dev.doyen.stores.quorum;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseRecordText;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.util.List;

/** Converts lease records, writes and outcomes to bytes for the log, snapshots and the network. */
final class LeaseBytes {

    private static final int WRITTEN = 1;
    private static final int CONFLICT = 2;

    private LeaseBytes() {}

    static byte[] ofWrites(List<LeaseStore.Write> writes) {
        return new ByteSink().all(writes, LeaseBytes::writeWrite).bytes();
    }

    static List<LeaseStore.Write> writes(byte[] bytes) {
        var source = new ByteSource(bytes);
        List<LeaseStore.Write> writes = source.all(LeaseBytes::readWrite);
        source.end();
        return writes;
    }

    /**
     * Writes a {@link CasOutcome.Written} or a {@link CasOutcome.Conflict}. A {@link LeaseTable} returns no other
     * outcomes.
     */
    static void writeOutcome(ByteSink sink, CasOutcome outcome) {
        outcome.accept(new CasOutcome.Cases() {
            @Override
            public void written(CasOutcome.Written written) {
                sink.one(WRITTEN).text(written.version().value());
            }

            @Override
            public void conflict(CasOutcome.Conflict conflict) {
                sink.one(CONFLICT);
                writeLease(sink, conflict.current());
            }

            @Override
            public void unknown(CasOutcome.Unknown unknown) {
                throw new IllegalArgumentException("a table knows the outcome of each write");
            }
        });
    }

    static CasOutcome readOutcome(ByteSource source) {
        int kind = source.one();
        return switch (kind) {
            case WRITTEN -> new CasOutcome.Written(new LeaseVersion(source.text()));
            case CONFLICT -> new CasOutcome.Conflict(readLease(source));
            default -> throw new MalformedBytesException("an outcome is of kind " + kind);
        };
    }

    static void writeLease(ByteSink sink, VersionedLease lease) {
        sink.text(lease.version().value());
        lease.record().ifPresent(record -> sink.text(LeaseRecordText.write(record)));
    }

    static VersionedLease readLease(ByteSource source) {
        var version = new LeaseVersion(source.text());
        return version.isAbsent() ? VersionedLease.ABSENT : VersionedLease.of(version, record(source.text()));
    }

    private static void writeWrite(ByteSink sink, LeaseStore.Write write) {
        sink.text(write.expected().value()).text(LeaseRecordText.write(write.next()));
    }

    private static LeaseStore.Write readWrite(ByteSource source) {
        return new LeaseStore.Write(new LeaseVersion(source.text()), record(source.text()));
    }

    private static LeaseRecord record(String text) {
        try {
            return LeaseRecordText.read(text);
        } catch (IllegalArgumentException e) {
            throw new MalformedBytesException("a lease record cannot be read: " + e.getMessage());
        }
    }
}
