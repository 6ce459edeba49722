package dev.doyen.examples.sftp;

import dev.doyen.event.SavedState;
import java.util.List;

/**
 * How far a file has been handed out, which a leader saves for the next one.
 *
 * @param file its name in the folder; empty if no file has been begun
 * @param row the number of the next row; rows count from 1
 * @param offset where that row begins, in bytes from the start of the file
 */
record Position(String file, long row, long offset) {

    static Position startOf(String file) {
        return new Position(file, 1, 0);
    }

    /** Parses the text of {@link #toState}. The file's name comes last, because it may contain spaces. */
    static Position of(SavedState state) {
        if (state.isEmpty()) {
            return startOf("");
        }
        List<String> words = List.of(state.text().split(" ", 3));
        return new Position(words.get(2), Long.parseLong(words.get(0)), Long.parseLong(words.get(1)));
    }

    SavedState toState() {
        return SavedState.ofText(row + " " + offset + " " + file);
    }
}
