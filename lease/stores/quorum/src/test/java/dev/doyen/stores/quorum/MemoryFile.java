package dev.doyen.stores.quorum;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A {@link JournalFile} in memory that can simulate a power loss. */
final class MemoryFile implements JournalFile {

    private final List<byte[]> records = new ArrayList<>();
    private int durable;
    private volatile boolean isFull;
    private long length;
    private long greatestLength;
    private int replacements;

    /**
     * Returns the file after a power loss. The file has the durable records and a random number of the later records.
     * The returned file has free space even if this file was full.
     */
    MemoryFile afterPowerLoss(Random random) {
        return of(records.subList(0, durable + random.nextInt(records.size() - durable + 1)));
    }

    /** Returns a file in which these records are durable. */
    static MemoryFile of(List<byte[]> records) {
        var file = new MemoryFile();
        file.records.addAll(records);
        file.durable = records.size();
        file.lengthChanged();
        return file;
    }

    /**
     * Makes each later {@link #force} and {@link #replace} fail, as on a full disk. {@link #append} does not fail,
     * because {@link #force} writes the appended records.
     */
    void fillUp() {
        isFull = true;
    }

    boolean isFull() {
        return isFull;
    }

    /**
     * Returns the greatest number of bytes in the directory so far. During a rewrite, the old file and the new file
     * both count.
     */
    long greatestLength() {
        return greatestLength;
    }

    int replacements() {
        return replacements;
    }

    @Override
    public List<byte[]> records() {
        return List.copyOf(records);
    }

    @Override
    public void append(byte[] record) {
        records.add(record);
        length += record.length;
        greatestLength = Math.max(greatestLength, length);
    }

    @Override
    public void force() throws IOException {
        fail();
        durable = records.size();
    }

    @Override
    public void replace(List<byte[]> next) throws IOException {
        fail();
        long lengthBefore = length;
        replacements++;
        records.clear();
        records.addAll(next);
        durable = records.size();
        lengthChanged();
        greatestLength = Math.max(greatestLength, lengthBefore + length);
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public void close() {}

    private void lengthChanged() {
        length = records.stream().mapToLong(record -> record.length).sum();
        greatestLength = Math.max(greatestLength, length);
    }

    private void fail() throws IOException {
        if (isFull) {
            throw new IOException("No space left on device");
        }
    }
}
