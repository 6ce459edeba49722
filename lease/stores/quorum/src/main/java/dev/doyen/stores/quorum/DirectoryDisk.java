package dev.doyen.stores.quorum;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * A {@link Disk} in a directory of the file system. Only the owner may read the files, if the file system supports
 * POSIX permissions.
 */
record DirectoryDisk(Path directory) implements Disk {

    @Override
    public byte[] read(String name) throws IOException {
        return Files.readAllBytes(directory.resolve(name));
    }

    @Override
    public Output create(String name) throws IOException {
        Path file = directory.resolve(name);
        var options = Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
        return new ChannelOutput(file, FileChannel.open(file, options, ownerOnly(directory, "rw-------")));
    }

    @Override
    public void rename(String from, String to) throws IOException {
        Files.move(directory.resolve(from), directory.resolve(to), StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void force() throws IOException {
        force(directory);
    }

    @Override
    public String where(String name) {
        return directory.resolve(name).toString();
    }

    /** Makes the names of the files in a directory durable. */
    static void force(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /**
     * Returns the attributes of a new file. The array is empty if the file system does not support POSIX permissions.
     */
    static FileAttribute<?>[] ownerOnly(Path path, String permissions) {
        boolean isPosix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
        return isPosix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    private record ChannelOutput(Path file, FileChannel channel) implements Output {

        @Override
        public void write(byte[] bytes) throws IOException {
            var rest = ByteBuffer.wrap(bytes);
            try {
                while (rest.hasRemaining()) {
                    channel.write(rest);
                }
            } catch (IOException e) {
                throw named(e);
            }
        }

        @Override
        public void force() throws IOException {
            try {
                channel.force(false);
            } catch (IOException e) {
                throw named(e);
            }
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }

        /** Returns an exception with the name of the file. The exceptions of a channel lack this name. */
        private IOException named(IOException cause) {
            var named = new FileSystemException(file.toString(), null, cause.getMessage());
            named.initCause(cause);
            return named;
        }
    }
}
