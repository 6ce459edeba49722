package dev.doyen.stores.quorum;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A {@link JournalFile} on a disk, with checksums.
 *
 * <p>The file begins with a head. The head contains four fields: the format, a random number (the salt), a length, and
 * a checksum. A new file is written under a temporary name and then renamed. The length in the head is the length of
 * the part that was durable before the file was renamed. Batches of records follow the head. A batch consists of its
 * length, two checksums, and the records. The first checksum covers the salt, the position and the length; the second
 * covers the records. All checksums are CRC-32C. The salt and the position make a batch valid only in its own file and
 * at its own position. So the class detects older bytes that a disk returns after a crash.
 *
 * <p>{@link #append} collects records. {@link #force} writes all collected records as one batch. The class writes the
 * next batch only after the previous batch is durable. Therefore a crash can tear only the last batch, which
 * {@link #force} has not confirmed yet. When the file is opened, an invalid batch at the end is cut off.
 *
 * <p>An invalid batch before a valid batch is damage, because the disk lost bytes that it had confirmed. An invalid
 * batch in the part that was durable before the file was renamed is damage too. The class does not open a damaged file.
 *
 * <p>Threads: one; any thread may close the file. Source: the write-ahead log of SQLite uses a salt in the same way.
 */
final class CheckedFile implements JournalFile {

    /** The maximum length of a record, in bytes. Longer records are rejected. */
    static final int MAX_RECORD = 16 << 20;

    /**
     * The approximate maximum number of bytes in a batch, unless a single record is longer. If a record does not fit
     * into the current batch, {@link #append} first writes that batch.
     */
    private static final int MAX_BATCH = 1 << 20;

    private static final byte[] FORMAT = "doyen-quorum 1\n".getBytes(StandardCharsets.US_ASCII);
    private static final int HEAD = FORMAT.length + 2 * Long.BYTES + Integer.BYTES;
    private static final int BATCH_HEAD = 3 * Integer.BYTES;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Disk disk;
    private final String name;
    private List<byte[]> found;
    private Disk.Output output;
    private long salt;

    /** The number of bytes written so far. This is also the end of the last batch. */
    private long written;

    private ByteSink batch = new ByteSink();
    private boolean isClosed;

    /**
     * Creates a file with these records, and replaces any existing file of this name. The records are durable when the
     * constructor returns.
     */
    private CheckedFile(Disk disk, String name, List<byte[]> records) throws IOException {
        this.disk = disk;
        this.name = name;
        this.found = records;
        this.output = replacement(records);
    }

    /** Creates a file with these records. */
    static CheckedFile create(Disk disk, String name, List<byte[]> records) throws IOException {
        return new CheckedFile(disk, name, records);
    }

    /**
     * Opens the file and rewrites its records to a new file.
     *
     * <p>After a failed write, the operating system can return bytes that are not on the disk. The rewrite makes the
     * records durable before they are used.
     *
     * @throws DamagedFileException if the disk lost bytes that it had confirmed, or if the head is invalid
     */
    static CheckedFile open(Disk disk, String name) throws IOException {
        return new CheckedFile(disk, name, read(disk.where(name), disk.read(name)));
    }

    @Override
    public synchronized List<byte[]> records() {
        return found;
    }

    @Override
    public synchronized void append(byte[] record) throws IOException {
        checkOpen();
        check(record);
        found = List.of();
        if (isFull(batch, record)) {
            force();
        }
        batch.block(record);
    }

    @Override
    public synchronized void force() throws IOException {
        checkOpen();
        if (batch.size() > 0) {
            byte[] bytes = framed(salt, written, batch.bytes());
            batch = new ByteSink();
            output.write(bytes);
            output.force();
            written += bytes.length;
        }
    }

    @Override
    public synchronized void replace(List<byte[]> records) throws IOException {
        checkOpen();
        Disk.Output old = output;
        output = replacement(records);
        batch = new ByteSink();
        old.close();
    }

    @Override
    public synchronized long length() {
        return written + batch.size();
    }

    @Override
    public synchronized void close() throws IOException {
        isClosed = true;
        output.close();
    }

    private void checkOpen() throws IOException {
        if (isClosed) {
            throw new IOException(disk.where(name) + " is closed");
        }
    }

    private static void check(byte[] record) throws IOException {
        if (record.length > MAX_RECORD) {
            throw new IOException("a record has " + record.length + " bytes; at most " + MAX_RECORD);
        }
    }

    private static boolean isFull(ByteSink batch, byte[] next) {
        return batch.size() > 0 && batch.size() + next.length > MAX_BATCH;
    }

    /**
     * Writes these records to a new file, and gives it the name of this file. The content is durable before the rename,
     * so after a crash the name belongs to either the old or the new file.
     */
    private Disk.Output replacement(List<byte[]> records) throws IOException {
        long nextSalt = RANDOM.nextLong();
        List<byte[]> batches = new ArrayList<>();
        long length = HEAD;
        var collected = new ByteSink();
        for (byte[] record : records) {
            check(record);
            if (isFull(collected, record)) {
                batches.add(framed(nextSalt, length, collected.bytes()));
                length += BATCH_HEAD + collected.size();
                collected = new ByteSink();
            }
            collected.block(record);
        }
        if (collected.size() > 0) {
            batches.add(framed(nextSalt, length, collected.bytes()));
            length += BATCH_HEAD + collected.size();
        }
        String temporary = name + ".new";
        Disk.Output next = disk.create(temporary);
        boolean isDone = false;
        try {
            next.write(head(nextSalt, length));
            for (byte[] each : batches) {
                next.write(each);
            }
            next.force();
            disk.rename(temporary, name);
            disk.force();
            isDone = true;
        } finally {
            if (!isDone) {
                next.close();
            }
        }
        salt = nextSalt;
        written = length;
        return next;
    }

    private static List<byte[]> read(String where, byte[] bytes) throws DamagedFileException {
        if (bytes.length < HEAD || !Arrays.equals(FORMAT, Arrays.copyOf(bytes, FORMAT.length))) {
            throw new DamagedFileException(
                    where, 0, "it is not a journal of this version of Doyen; a newer version may have written it");
        }
        var head = ByteBuffer.wrap(bytes, FORMAT.length, HEAD - FORMAT.length);
        long salt = head.getLong();
        long durable = head.getLong();
        if (head.getInt() != checksum(bytes, 0, HEAD - Integer.BYTES)) {
            throw new DamagedFileException(where, 0, "the checksum of the head is wrong");
        }
        List<byte[]> records = new ArrayList<>();
        int end = HEAD;
        for (int next = batchEnd(bytes, end, salt); next > 0; next = batchEnd(bytes, end, salt)) {
            var source = new ByteSource(Arrays.copyOfRange(bytes, end + BATCH_HEAD, next));
            while (source.hasMore()) {
                records.add(source.block());
            }
            end = next;
        }
        boolean isDamaged = end < durable;
        for (int later = end + 1; later < bytes.length && !isDamaged; later++) {
            isDamaged = batchEnd(bytes, later, salt) > 0;
        }
        if (isDamaged) {
            throw new DamagedFileException(where, end, "data that the disk had confirmed is missing");
        }
        return records;
    }

    /** Returns the end of the batch that begins at {@code start}. The result is 0 if no valid batch begins there. */
    private static int batchEnd(byte[] bytes, int start, long salt) {
        if (bytes.length - start < BATCH_HEAD) {
            return 0;
        }
        var head = ByteBuffer.wrap(bytes, start, BATCH_HEAD);
        int length = head.getInt();
        int placeChecksum = head.getInt();
        int checksum = head.getInt();
        boolean isGood = length > 0
                && length <= bytes.length - start - BATCH_HEAD
                && placeChecksum == placeChecksum(salt, start, length)
                && checksum == checksum(bytes, start + BATCH_HEAD, length);
        return isGood ? start + BATCH_HEAD + length : 0;
    }

    private static byte[] head(long salt, long length) {
        var head = ByteBuffer.allocate(HEAD).put(FORMAT).putLong(salt).putLong(length);
        return head.putInt(checksum(head.array(), 0, head.position())).array();
    }

    private static byte[] framed(long salt, long position, byte[] records) {
        return ByteBuffer.allocate(BATCH_HEAD + records.length)
                .putInt(records.length)
                .putInt(placeChecksum(salt, position, records.length))
                .putInt(checksum(records, 0, records.length))
                .put(records)
                .array();
    }

    private static int placeChecksum(long salt, long position, int length) {
        var place = ByteBuffer.allocate(2 * Long.BYTES + Integer.BYTES)
                .putLong(salt)
                .putLong(position)
                .putInt(length);
        return checksum(place.array(), 0, place.capacity());
    }

    private static int checksum(byte[] bytes, int offset, int length) {
        var checksum = new CRC32C();
        checksum.update(bytes, offset, length);
        return (int) checksum.getValue();
    }
}
