package dev.doyen.store;

import java.nio.file.Path;

/** Opens one kind of store by URL; found by {@link java.util.ServiceLoader}. */
public interface LeaseStoreProvider {

    /** The URL scheme, without the colon. */
    String scheme();

    /**
     * Opens the store. Throws {@link IllegalArgumentException} for a URL that cannot be meant, and
     * {@link StoreUnavailableException} if what it names cannot be used.
     */
    LeaseStore open(String url);

    /** {@code memory:} and {@code memory:NAME}. */
    final class Memory implements LeaseStoreProvider {
        @Override
        public String scheme() {
            return "memory";
        }

        @Override
        public LeaseStore open(String url) {
            return MemoryLeaseStore.shared(url.substring("memory:".length()));
        }
    }

    /** {@code file:/dir} and {@code file:dir}. */
    final class File implements LeaseStoreProvider {
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

    /** {@code shared-file:/dir}: like {@code file:}, for a folder that several machines share. */
    final class SharedFile implements LeaseStoreProvider {
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
