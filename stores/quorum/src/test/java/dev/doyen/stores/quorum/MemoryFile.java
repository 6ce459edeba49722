package dev.doyen.stores.quorum;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A {@link JournalFile} in memory, whose machine can lose power: then it has what was durable, and perhaps more. */
final class MemoryFile implements JournalFile {

    private final List<byte[]> records = new ArrayList<>();
    private int durable;
    private volatile boolean isFull;
    private long length;
    private long greatestLength;
    private int replacements;

    /**
     * The file after a loss of power: the durable records, and a random number of those after them. Now it has
     * space.
     */
    MemoryFile afterPowerLoss(Random random) {
        return of(records.subList(0, durable + random.nextInt(records.size() - durable + 1)));
    }

    /** A file whose records are durable. */
    static MemoryFile of(List<byte[]> records) {
        var file = new MemoryFile();
        file.records.addAll(records);
        file.durable = records.size();
        file.lengthChanged();
        return file;
    }

    /** From now on each write fails. Records are written when they are forced. */
    void fillUp() {
        isFull = true;
    }

    boolean isFull() {
        return isFull;
    }

    /** The greatest number of bytes that the directory has had: the file, and the new one while it is written. */
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
