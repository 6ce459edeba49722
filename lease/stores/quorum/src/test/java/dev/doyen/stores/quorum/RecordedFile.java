package dev.doyen.stores.quorum;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A {@link CheckedFile} on a {@link RecordedDisk}, with the list of its states.
 *
 * <p>Each added record and each replacement gives the file a new state. A confirmed state must not be lost.
 *
 * @param <S> the type with which the test describes a state
 */
final class RecordedFile<S> implements JournalFile {

    static final String NAME = "journal";

    private record State<S>(int begun, S state) {}

    private record Confirmed(int operations, int state) {}

    private final RecordedDisk disk;
    private final CheckedFile file;
    private final List<State<S>> states = new ArrayList<>();
    private final List<Confirmed> confirmed = new ArrayList<>();

    RecordedFile(RecordedDisk disk, CheckedFile file, S first) {
        this.disk = disk;
        this.file = file;
        states.add(new State<>(0, first));
        confirm();
    }

    RecordedDisk disk() {
        return disk;
    }

    /** Records the next state. The test must call this method before the operation that produces the state. */
    void next(S state) {
        states.add(new State<>(disk.operations(), state));
    }

    /** Marks all states so far as confirmed. */
    void confirm() {
        confirmed.add(new Confirmed(disk.operations(), states.size() - 1));
    }

    S last() {
        return states.get(states.size() - 1).state();
    }

    /**
     * Returns the allowed states after a power loss at this operation. The allowed states are the last confirmed
     * state and all later states whose operation had already begun.
     */
    List<S> possibleAfter(int operations) {
        int first = confirmed.stream()
                .filter(each -> each.operations() <= operations)
                .mapToInt(Confirmed::state)
                .max()
                .orElse(0);
        return states.subList(first, states.size()).stream()
                .filter(each -> each.begun() <= operations)
                .map(State::state)
                .toList();
    }

    @Override
    public List<byte[]> records() {
        return file.records();
    }

    @Override
    public void append(byte[] record) throws IOException {
        file.append(record);
    }

    @Override
    public void force() throws IOException {
        file.force();
    }

    @Override
    public void replace(List<byte[]> records) throws IOException {
        file.replace(records);
    }

    @Override
    public long length() {
        return file.length();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
