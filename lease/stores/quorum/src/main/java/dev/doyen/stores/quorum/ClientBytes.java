package dev.doyen.stores.quorum;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.VersionedLease;
import dev.doyen.text.ElectionNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Converts requests and answers between clients and members to bytes. A client can be faulty, so the methods that parse
 * requests check the limits.
 */
final class ClientBytes {

    /** The maximum number of elections in one request. */
    static final int MAX_ELECTIONS = 1_000;

    /** The size in bytes after which no further record is added to an answer. */
    static final int ANSWER_BYTES = 1 << 20;

    /**
     * The maximum size of the writes in one request, in bytes. This limit is higher than
     * {@link QuorumLeaseStore#MAX_ENTRY_BYTES}, because a single write can exceed that limit.
     */
    private static final int MAX_WRITE_BYTES = 4 * QuorumLeaseStore.MAX_ENTRY_BYTES;

    private static final long MAX_WAIT_MILLIS = QuorumSettings.MAX_TIMEOUT.toMillis();

    /**
     * A request to read records.
     *
     * @param patience the maximum time that the member may have been without a known leader. The member treats a value
     *     above {@link ClientRequests#MAX_AGE} as {@code MAX_AGE}
     */
    record Read(Duration patience, List<String> elections) {
        Read {
            elections = List.copyOf(elections);
        }

        byte[] bytes() {
            var sink = new ByteSink();
            writeWait(sink, patience);
            return sink.all(elections, ByteSink::text).bytes();
        }

        static Read read(byte[] body) {
            return whole(body, source -> new Read(readWait(source), readElections(source)));
        }
    }

    /**
     * A request to write records.
     *
     * @param timeout the time limit for the writes; the outcome of a write that is not confirmed in time is unknown
     */
    record Write(Duration timeout, List<LeaseStore.Write> writes) {
        Write {
            writes = List.copyOf(writes);
        }

        byte[] bytes() {
            var sink = new ByteSink();
            writeWait(sink, timeout);
            return sink.block(LeaseBytes.ofWrites(writes)).bytes();
        }

        static Write read(byte[] body) {
            if (body.length > MAX_WRITE_BYTES) {
                throw new MalformedBytesException("the writes of a client have " + body.length + " bytes");
            }
            Write read = whole(body, source -> new Write(readWait(source), LeaseBytes.writes(source.block())));
            if (read.writes.size() > QuorumLeaseStore.MAX_WRITES) {
                throw new MalformedBytesException("a client sent " + read.writes.size() + " writes at once");
            }
            return read;
        }
    }

    private ClientBytes() {}

    static byte[] ofWait(Duration wait) {
        var sink = new ByteSink();
        writeWait(sink, wait);
        return sink.bytes();
    }

    static Duration wait(byte[] body) {
        return whole(body, ClientBytes::readWait);
    }

    static byte[] ofElections(List<String> elections) {
        return new ByteSink().all(elections, ByteSink::text).bytes();
    }

    static List<String> elections(byte[] body) {
        return whole(body, ClientBytes::readElections);
    }

    /** Writes as many of these records as fit into an answer. The answer contains at least the first record. */
    static byte[] ofLeases(Iterable<VersionedLease> leases) {
        var sink = new ByteSink();
        for (VersionedLease lease : leases) {
            LeaseBytes.writeLease(sink, lease);
            if (sink.size() >= ANSWER_BYTES) {
                break;
            }
        }
        return sink.bytes();
    }

    /**
     * Reads the records of an answer.
     *
     * @param requested the number of requested records, which is at least one
     */
    static List<VersionedLease> leases(byte[] body, int requested) {
        return whole(body, source -> {
            List<VersionedLease> leases = new ArrayList<>();
            while (source.hasMore()) {
                leases.add(LeaseBytes.readLease(source));
            }
            if (leases.isEmpty() || leases.size() > requested) {
                throw new MalformedBytesException(leases.size() + " records answer a request for " + requested);
            }
            return leases;
        });
    }

    static byte[] ofOutcomes(List<CasOutcome> outcomes) {
        return new ByteSink().all(outcomes, LeaseBytes::writeOutcome).bytes();
    }

    static List<CasOutcome> outcomes(byte[] body, int requested) {
        List<CasOutcome> outcomes = whole(body, source -> source.all(LeaseBytes::readOutcome));
        if (outcomes.size() != requested) {
            throw new MalformedBytesException(outcomes.size() + " outcomes answer " + requested + " writes");
        }
        return outcomes;
    }

    private static void writeWait(ByteSink sink, Duration wait) {
        sink.longNumber(wait.toMillis());
    }

    private static Duration readWait(ByteSource source) {
        long millis = source.longNumber();
        if (millis < 0 || millis > MAX_WAIT_MILLIS) {
            throw new MalformedBytesException("a client waits for " + millis + " ms; the limit is " + MAX_WAIT_MILLIS);
        }
        return Duration.ofMillis(millis);
    }

    private static List<String> readElections(ByteSource source) {
        List<String> elections = source.all(ClientBytes::readElection);
        if (elections.isEmpty() || elections.size() > MAX_ELECTIONS) {
            throw new MalformedBytesException(
                    "a client named " + elections.size() + " elections; the limits are 1 and " + MAX_ELECTIONS);
        }
        return elections;
    }

    private static String readElection(ByteSource source) {
        try {
            return ElectionNames.check("an election's name", source.text());
        } catch (IllegalArgumentException e) {
            throw new MalformedBytesException("an election cannot be read: " + e.getMessage());
        }
    }

    private static <T> T whole(byte[] body, Function<ByteSource, T> read) {
        var source = new ByteSource(body);
        T value = read.apply(source);
        source.end();
        return value;
    }
}
