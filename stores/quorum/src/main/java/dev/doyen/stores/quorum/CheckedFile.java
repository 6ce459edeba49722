package dev.doyen.stores.quorum;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A {@link JournalFile} on a disk. A record is its length, the checksum of the length, the checksum of the bytes, and the
 * bytes. The checksums are CRC-32C.
 *
 * <p>A crash can tear the records that were not durable. So a bad record with no good one behind it is cut off when the
 * file is opened. A bad record with a good one behind it is damage: the disk lost what it had confirmed. A file with
 * damage is not opened.
 */
final class CheckedFile implements JournalFile {

    /** A longer record is not written, and a greater length is not read. */
    static final int MAX_RECORD = 16 << 20;

    private static final byte[] HEAD = "doyen-quorum 1\n".getBytes(StandardCharsets.US_ASCII);
    private static final int RECORD_HEAD = 3 * Integer.BYTES;

    private final Path path;
    private final List<byte[]> found;
    private FileChannel channel;

    private CheckedFile(Path path, FileChannel channel, List<byte[]> found) {
        this.path = path;
        this.channel = channel;
        this.found = found;
    }

    /**
     * Opens the file, or makes an empty one.
     *
     * @throws DamagedFileException if the disk lost what it had confirmed
     */
    static CheckedFile open(Path path) throws IOException {
        if (!Files.exists(path)) {
            return new CheckedFile(path, replacement(path, List.of()), List.of());
        }
        byte[] bytes = Files.readAllBytes(path);
        if (bytes.length < HEAD.length || !Arrays.equals(bytes, 0, HEAD.length, HEAD, 0, HEAD.length)) {
            throw new DamagedFileException(path, 0);
        }
        List<byte[]> records = new ArrayList<>();
        int end = HEAD.length;
        for (int next = recordEnd(bytes, end); next > 0; next = recordEnd(bytes, end)) {
            records.add(Arrays.copyOfRange(bytes, end + RECORD_HEAD, next));
            end = next;
        }
        for (int later = end + 1; later < bytes.length; later++) {
            if (recordEnd(bytes, later) > 0) {
                throw new DamagedFileException(path, end);
            }
        }
        FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE);
        channel.truncate(end);
        channel.position(end);
        channel.force(true);
        return new CheckedFile(path, channel, records);
    }

    @Override
    public List<byte[]> records() {
        return found;
    }

    @Override
    public void append(byte[] record) throws IOException {
        write(channel, record);
    }

    @Override
    public void force() throws IOException {
        channel.force(false);
    }

    @Override
    public void replace(List<byte[]> records) throws IOException {
        FileChannel next = replacement(path, records);
        channel.close();
        channel = next;
    }

    @Override
    public long length() {
        try {
            return channel.position();
        } catch (IOException e) {
            return 0;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    /** Where the record at {@code start} ends; 0 if there is no good one. */
    private static int recordEnd(byte[] bytes, int start) {
        if (bytes.length - start < RECORD_HEAD) {
            return 0;
        }
        var head = ByteBuffer.wrap(bytes, start, RECORD_HEAD);
        int length = head.getInt();
        int checksumOfLength = head.getInt();
        int checksum = head.getInt();
        boolean good = length >= 0
                && length <= bytes.length - start - RECORD_HEAD
                && checksumOfLength == checksum(bytes, start, Integer.BYTES)
                && checksum == checksum(bytes, start + RECORD_HEAD, length);
        return good ? start + RECORD_HEAD + length : 0;
    }

    /** A new file under the old name, with everything durable. */
    private static FileChannel replacement(Path path, List<byte[]> records) throws IOException {
        Path next = path.resolveSibling(path.getFileName() + ".new");
        FileChannel channel = FileChannel.open(
                next, StandardOpenOption.WRITE, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
        boolean done = false;
        try {
            writeFully(channel, ByteBuffer.wrap(HEAD));
            for (byte[] record : records) {
                write(channel, record);
            }
            channel.force(true);
            Files.move(next, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            try (FileChannel directory = FileChannel.open(path.toAbsolutePath().getParent())) {
                directory.force(true);
            }
            done = true;
            return channel;
        } finally {
            if (!done) {
                channel.close();
            }
        }
    }

    private static void write(FileChannel channel, byte[] record) throws IOException {
        if (record.length > MAX_RECORD) {
            throw new IOException("a record has " + record.length + " bytes; at most " + MAX_RECORD);
        }
        var bytes = ByteBuffer.allocate(RECORD_HEAD + record.length).putInt(record.length);
        bytes.putInt(checksum(bytes.array(), 0, Integer.BYTES))
                .putInt(checksum(record, 0, record.length))
                .put(record)
                .flip();
        writeFully(channel, bytes);
    }

    private static void writeFully(FileChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private static int checksum(byte[] bytes, int offset, int length) {
        var checksum = new CRC32C();
        checksum.update(bytes, offset, length);
        return (int) checksum.getValue();
    }
}
