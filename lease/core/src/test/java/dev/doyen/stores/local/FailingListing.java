package dev.doyen.stores.local;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;

/**
 * A directory whose listing fails after its last entry, like a directory on a faulty disk.
 *
 * <p>All other operations are those of the real directory. Paths of entries are real paths.
 */
final class FailingListing {

    static final String MESSAGE = "input/output error";

    private FailingListing() {}

    /** Returns the path of this directory with a failing listing. */
    static Path of(Path real) {
        var system = new FailingFileSystem(real.getFileSystem());
        return (Path) Proxy.newProxyInstance(
                Path.class.getClassLoader(),
                new Class<?>[] {Path.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getFileSystem" -> system;
                    case "toRealPath" -> of((Path) invoke(real, method, arguments));
                    default -> invoke(real, method, arguments);
                });
    }

    private static Object invoke(Path real, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static Path real(Path path) {
        return Path.of(path.toString());
    }

    private static final class FailingFileSystem extends FileSystem {
        private final FileSystem real;

        FailingFileSystem(FileSystem real) {
            this.real = real;
        }

        @Override
        public FileSystemProvider provider() {
            return new FailingProvider(real.provider());
        }

        @Override
        public void close() throws IOException {
            real.close();
        }

        @Override
        public boolean isOpen() {
            return real.isOpen();
        }

        @Override
        public boolean isReadOnly() {
            return real.isReadOnly();
        }

        @Override
        public String getSeparator() {
            return real.getSeparator();
        }

        @Override
        public Iterable<Path> getRootDirectories() {
            return real.getRootDirectories();
        }

        @Override
        public Iterable<FileStore> getFileStores() {
            return real.getFileStores();
        }

        @Override
        public Set<String> supportedFileAttributeViews() {
            return real.supportedFileAttributeViews();
        }

        @Override
        public Path getPath(String first, String... more) {
            return real.getPath(first, more);
        }

        @Override
        public PathMatcher getPathMatcher(String pattern) {
            return real.getPathMatcher(pattern);
        }

        @Override
        public UserPrincipalLookupService getUserPrincipalLookupService() {
            return real.getUserPrincipalLookupService();
        }

        @Override
        public WatchService newWatchService() throws IOException {
            return real.newWatchService();
        }
    }

    private static final class FailingProvider extends FileSystemProvider {
        private final FileSystemProvider real;

        FailingProvider(FileSystemProvider real) {
            this.real = real;
        }

        @Override
        public DirectoryStream<Path> newDirectoryStream(Path directory, DirectoryStream.Filter<? super Path> filter)
                throws IOException {
            DirectoryStream<Path> entries = real.newDirectoryStream(real(directory), filter);
            return new DirectoryStream<>() {
                @Override
                public Iterator<Path> iterator() {
                    return failingAtItsEnd(entries.iterator());
                }

                @Override
                public void close() throws IOException {
                    entries.close();
                }
            };
        }

        private static Iterator<Path> failingAtItsEnd(Iterator<Path> entries) {
            return new Iterator<>() {
                @Override
                public boolean hasNext() {
                    if (!entries.hasNext()) {
                        throw new DirectoryIteratorException(new IOException(MESSAGE));
                    }
                    return true;
                }

                @Override
                public Path next() {
                    return entries.next();
                }
            };
        }

        @Override
        public String getScheme() {
            return real.getScheme();
        }

        @Override
        public FileSystem newFileSystem(URI uri, Map<String, ?> settings) throws IOException {
            return real.newFileSystem(uri, settings);
        }

        @Override
        public FileSystem getFileSystem(URI uri) {
            return real.getFileSystem(uri);
        }

        @Override
        public Path getPath(URI uri) {
            return real.getPath(uri);
        }

        @Override
        public SeekableByteChannel newByteChannel(
                Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
            return real.newByteChannel(real(path), options, attributes);
        }

        @Override
        public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
                throws IOException {
            return real.newFileChannel(real(path), options, attributes);
        }

        @Override
        public void createDirectory(Path directory, FileAttribute<?>... attributes) throws IOException {
            real.createDirectory(real(directory), attributes);
        }

        @Override
        public void delete(Path path) throws IOException {
            real.delete(real(path));
        }

        @Override
        public void copy(Path source, Path target, CopyOption... options) throws IOException {
            real.copy(real(source), real(target), options);
        }

        @Override
        public void move(Path source, Path target, CopyOption... options) throws IOException {
            real.move(real(source), real(target), options);
        }

        @Override
        public boolean isSameFile(Path path, Path other) throws IOException {
            return real.isSameFile(real(path), real(other));
        }

        @Override
        public boolean isHidden(Path path) throws IOException {
            return real.isHidden(real(path));
        }

        @Override
        public FileStore getFileStore(Path path) throws IOException {
            return real.getFileStore(real(path));
        }

        @Override
        public void checkAccess(Path path, AccessMode... modes) throws IOException {
            real.checkAccess(real(path), modes);
        }

        @Override
        public <V extends FileAttributeView> V getFileAttributeView(Path path, Class<V> type, LinkOption... options) {
            return real.getFileAttributeView(real(path), type, options);
        }

        @Override
        public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
                throws IOException {
            return real.readAttributes(real(path), type, options);
        }

        @Override
        public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options)
                throws IOException {
            return real.readAttributes(real(path), attributes, options);
        }

        @Override
        public void setAttribute(Path path, String attribute, Object value, LinkOption... options) throws IOException {
            real.setAttribute(real(path), attribute, value, options);
        }
    }
}
