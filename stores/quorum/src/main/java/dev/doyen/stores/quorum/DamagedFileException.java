package dev.doyen.stores.quorum;

import java.io.IOException;
import java.nio.file.Path;

/** A file does not hold what its disk had confirmed, so the member may have forgotten a promise. */
final class DamagedFileException extends IOException {

    private static final long serialVersionUID = 1;

    DamagedFileException(Path file, long position) {
        super(file + " is damaged at byte " + position + ": what the disk had confirmed is not there. Check the disk,"
                + " then move the directory away; this process then joins the quorum as a new member");
    }
}
