package dev.doyen.stores.local;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.StoreRefusedException;
import dev.doyen.store.StoreUnavailableException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Distinguishes a missing right in a folder from other failures of the folder.
 *
 * <p>A right is missing if the operating system denies the access, or if the file system is mounted read-only.
 */
final class FolderFault {

    private FolderFault() {}

    /**
     * Returns the exception for a failed read of a lease in the folder.
     *
     * @return a {@link StoreRefusedException} if a right is missing
     */
    static StoreUnavailableException ofRead(String election, Path folder, IOException fault) {
        return of("the lease of \"" + election + "\" cannot be read: " + fault, folder, fault);
    }

    /** Returns the outcome of a failed write of a lease in the folder. */
    static CasOutcome.Unknown ofWrite(String election, Path folder, Exception fault) {
        return CasOutcome.Unknown.of(
                of("the lease of \"" + election + "\" could not be written: " + fault, folder, fault));
    }

    private static StoreUnavailableException of(String sentence, Path folder, Exception fault) {
        if (fault instanceof AccessDeniedException) {
            return new StoreRefusedException(
                    sentence, "give this user the right to read and write " + folder + " and its files", fault);
        }
        if (fault instanceof IOException && isReadOnly(folder)) {
            return new StoreRefusedException(sentence, "mount the file system of " + folder + " writable", fault);
        }
        return new StoreUnavailableException(sentence, fault);
    }

    private static boolean isReadOnly(Path folder) {
        try {
            return Files.getFileStore(folder).isReadOnly();
        } catch (IOException e) {
            // The folder is absent or unreachable, so it is unknown how its file system is mounted.
            return false;
        }
    }
}
