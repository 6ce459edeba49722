package dev.doyen.stores.quorum;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A {@link JournalFile} in memory, whose machine can lose power: then it has what was durable, and perhaps more. */
final class MemoryFile implements JournalFile {

    private final List<byte[]> records = new ArrayList<>();
    private int durable;
    private boolean isFull;

    /** The file after a loss of power: the durable records, and a random number of those after them. */
    MemoryFile afterPowerLoss(Random random) {
        var after = new MemoryFile();
        after.records.addAll(records.subList(0, durable + random.nextInt(records.size() - durable + 1)));
        after.durable = after.records.size();
        return after;
    }

    /** From now on each write fails. */
    void fillUp() {
        isFull = true;
    }

    @Override
    public List<byte[]> records() {
        return List.copyOf(records);
    }

    @Override
    public void append(byte[] record) throws IOException {
        fail();
        records.add(record);
    }

    @Override
    public void force() throws IOException {
        fail();
        durable = records.size();
    }

    @Override
    public void replace(List<byte[]> next) throws IOException {
        fail();
        records.clear();
        records.addAll(next);
        durable = records.size();
    }

    @Override
    public long length() {
        return records.stream().mapToLong(record -> record.length).sum();
    }

    @Override
    public void close() {}

    private void fail() throws IOException {
        if (isFull) {
            throw new IOException("No space left on device");
        }
    }
}
