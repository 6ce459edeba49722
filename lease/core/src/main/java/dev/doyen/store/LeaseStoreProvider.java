package dev.doyen.store;

import java.nio.file.Path;

/** Opens one kind of store by URL. {@link java.util.ServiceLoader} finds the implementations. */
public interface LeaseStoreProvider {

    /** Returns the URL scheme, without the colon. */
    String scheme();

    /**
     * Opens the store.
     *
     * @throws IllegalArgumentException if the URL is invalid
     * @throws StoreUnavailableException if the store cannot be used
     */
    LeaseStore open(String url);

    /** Opens {@code memory:} and {@code memory:NAME}. */
    final class Memory implements LeaseStoreProvider {
        /** For {@link java.util.ServiceLoader}. */
        public Memory() {}

        @Override
        public String scheme() {
            return "memory";
        }

        @Override
        public LeaseStore open(String url) {
            return MemoryLeaseStore.open(url.substring("memory:".length()));
        }
    }

    /** Opens {@code file:/dir} and {@code file:dir}. */
    final class File implements LeaseStoreProvider {
        /** For {@link java.util.ServiceLoader}. */
        public File() {}

        @Override
        public String scheme() {
            return "file";
        }

        @Override
        public LeaseStore open(String url) {
            String path = url.substring("file:".length());
            if (path.startsWith("//")) {
                path = path.substring(2);
            }
            if (path.isEmpty()) {
                throw new IllegalArgumentException("file: needs a directory, such as file:/var/lib/doyen");
            }
            return FileLeaseStore.open(Path.of(path));
        }
    }

    /** Opens {@code shared-file:/dir}, for a folder that several machines share. */
    final class SharedFile implements LeaseStoreProvider {
        /** For {@link java.util.ServiceLoader}. */
        public SharedFile() {}

        @Override
        public String scheme() {
            return "shared-file";
        }

        @Override
        public LeaseStore open(String url) {
            String path = url.substring("shared-file:".length());
            if (path.startsWith("//")) {
                path = path.substring(2);
            }
            if (path.isEmpty()) {
                throw new IllegalArgumentException("shared-file: needs a folder, such as shared-file:/mnt/doyen");
            }
            return SharedFolderLeaseStore.open(Path.of(path));
        }
    }
}
