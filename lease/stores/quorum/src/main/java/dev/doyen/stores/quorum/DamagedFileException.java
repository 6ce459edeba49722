package dev.doyen.stores.quorum;

import java.io.IOException;

/**
 * A file lacks bytes that its disk had confirmed. The member may therefore have lost a vote or an entry that it
 * confirmed.
 */
final class DamagedFileException extends IOException {

    private static final long serialVersionUID = 1;

    DamagedFileException(String file, long position, String what) {
        super(file + " is damaged at byte " + position + ": " + what + ". Check the disk, then move the directory away;"
                + " this process then joins the quorum as a new member");
    }
}
