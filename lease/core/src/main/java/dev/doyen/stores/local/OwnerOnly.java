package dev.doyen.stores.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * The attributes of new directories and files that only their owner may access.
 *
 * <p>If the file system does not support POSIX permissions, there are no attributes.
 */
final class OwnerOnly {

    private static final Set<PosixFilePermission> DIRECTORY = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final FileAttribute<?>[] DEFAULT = {};

    private OwnerOnly() {}

    /** Returns the attributes of a new directory. */
    static FileAttribute<?>[] directory(Path directory) {
        return isPosix(directory) ? attributes(DIRECTORY) : DEFAULT;
    }

    /**
     * Returns the attributes of a new file in a directory.
     *
     * <p>If other users can access the directory, there are no attributes, because several users may share the leases.
     * In this case the umask of the process determines who can access the file.
     */
    static FileAttribute<?>[] fileIn(Path directory) throws IOException {
        return isPosix(directory) && DIRECTORY.containsAll(Files.getPosixFilePermissions(directory))
                ? attributes(FILE)
                : DEFAULT;
    }

    private static boolean isPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    private static FileAttribute<?>[] attributes(Set<PosixFilePermission> permissions) {
        return new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)};
    }
}
