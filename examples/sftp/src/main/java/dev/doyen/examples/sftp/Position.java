package dev.doyen.examples.sftp;

import dev.doyen.event.SavedState;
import java.util.List;

/**
 * The position up to which a file has been handed out. A leader saves the position for the next leader.
 *
 * @param file the name of the file in the folder; empty if no file has been started
 * @param row the number of the next row; rows count from 1
 * @param offset the start of the next row, in bytes from the start of the file
 */
record Position(String file, long row, long offset) {

    static Position startOf(String file) {
        return new Position(file, 1, 0);
    }

    /** Parses the text of {@link #toState}. The file's name comes last, because it can contain spaces. */
    static Position of(SavedState state) {
        if (state.isEmpty()) {
            return startOf("");
        }
        List<String> parts = List.of(state.text().split(" ", 3));
        return new Position(parts.get(2), Long.parseLong(parts.get(0)), Long.parseLong(parts.get(1)));
    }

    SavedState toState() {
        return SavedState.ofText(row + " " + offset + " " + file);
    }
}
