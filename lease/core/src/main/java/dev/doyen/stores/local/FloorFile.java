package dev.doyen.stores.local;

import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.UnreadableRecordException;
import java.io.IOException;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The file that contains the {@link DeletionFloor} of a directory.
 *
 * <p>A missing file means the floor 0, because a directory without deletions has no such file. A file that cannot be
 * parsed is a fault, because terms could otherwise fall.
 */
final class FloorFile {

    static final String NAME = "floor";

    private static final String TEMPORARY = ".floor-";
    private static final Pattern TEXT =
            Pattern.compile("doyen-floor 1\nterm: ([0-9]{1,18})\nrevision: ([0-9]{1,18})\n");

    private final LeaseFolder folder;

    FloorFile(LeaseFolder folder) {
        this.folder = folder;
    }

    DeletionFloor read() throws IOException {
        var text = text();
        if (text.isEmpty()) {
            return DeletionFloor.NONE;
        }
        var matcher = TEXT.matcher(text.get());
        if (!matcher.matches()) {
            throw new StoreUnavailableException(folder.where(NAME) + " does not contain the highest term of the deleted"
                    + " records; restore it from a backup, or move it away only if their terms may be used again");
        }
        return new DeletionFloor(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)));
    }

    /**
     * Returns the text of the floor. An unreadable floor affects every missing record, so the exception is not an
     * {@link UnreadableRecordException}.
     */
    private Optional<String> text() throws IOException {
        try {
            return folder.text(NAME);
        } catch (UnreadableRecordException e) {
            throw new StoreUnavailableException(folder.where(NAME) + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Raises the floor, and fsyncs it before the method returns. The caller must hold the lock of the directory. */
    void raiseTo(DeletionFloor floor) throws IOException {
        DeletionFloor before = read();
        DeletionFloor raised = before.raisedTo(floor);
        if (raised.equals(before)) {
            return;
        }
        for (String left : folder.named(TEMPORARY)) {
            folder.delete(left);
        }
        String temporary = TEMPORARY + UUID.randomUUID();
        folder.create(temporary, "doyen-floor 1\nterm: " + raised.term() + "\nrevision: " + raised.revision() + "\n");
        if (!folder.replace(temporary, NAME)) {
            throw new IOException(folder.where(temporary) + " was deleted by another program");
        }
    }
}
