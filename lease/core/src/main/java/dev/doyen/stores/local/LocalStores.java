package dev.doyen.stores.local;

import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseStoreProvider;
import java.nio.file.Path;

/** Opens the stores of this package by URL, for {@link java.util.ServiceLoader}. */
public final class LocalStores {

    private LocalStores() {}

    /** Opens {@code memory:} and {@code memory:NAME}. */
    public static final class Memory implements LeaseStoreProvider {
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
    public static final class File implements LeaseStoreProvider {
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
    public static final class SharedFile implements LeaseStoreProvider {
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
