package dev.doyen.stores.local;

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
     * Returns the exception for a failed operation in the folder.
     *
     * @param what the failed operation, as a sentence without a full stop
     * @return a {@link StoreRefusedException} if a right is missing
     */
    static StoreUnavailableException of(String what, Path folder, IOException fault) {
        String sentence = what + ": " + fault;
        if (fault instanceof AccessDeniedException) {
            return new StoreRefusedException(
                    sentence, "give this user the right to read and write " + folder + " and its files", fault);
        }
        if (isReadOnly(folder)) {
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
