package dev.doyen.stores.quorum;

import java.io.IOException;

/**
 * An exception thrown if a file lacks confirmed bytes or has an invalid head. Therefore the member has possibly lost a
 * vote or an entry that the member had confirmed.
 */
final class DamagedFileException extends IOException {

    private static final long serialVersionUID = 1;

    DamagedFileException(String file, long position, String what) {
        super(file + " is damaged at byte " + position + ": " + what + ". Check the disk, then move the directory away;"
                + " this process then joins the quorum as a new member");
    }
}
