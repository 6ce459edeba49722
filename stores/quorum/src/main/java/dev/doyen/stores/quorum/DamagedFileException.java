package dev.doyen.stores.quorum;

import java.io.IOException;

/** A file does not hold what its disk had confirmed, so the member may have forgotten a promise. */
final class DamagedFileException extends IOException {

    private static final long serialVersionUID = 1;

    DamagedFileException(String file, long position, String what) {
        super(file + " is damaged at byte " + position + ": " + what + ". Check the disk, then move the directory away;"
                + " this process then joins the quorum as a new member");
    }
}
