package dev.doyen.stores.local;

import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseStoreProvider;
import java.nio.file.Path;

/** Opens the stores of this package by URL, for {@link java.util.ServiceLoader}. */
public final class LocalStores {

    private LocalStores() {}

    /** Opens {@code memory:} and {@code memory:NAME}. */
    public static final class Memory implements LeaseStoreProvider {
        /** Creates the provider, for {@link java.util.ServiceLoader}. */
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
        /** Creates the provider, for {@link java.util.ServiceLoader}. */
        public File() {}

        @Override
        public String scheme() {
            return "file";
        }

        @Override
        public LeaseStore open(String url) {
            return FileLeaseStore.open(directory(url, "file:", "a directory, such as file:/var/lib/doyen"));
        }
    }

    /** Opens {@code shared-file:/dir}, for a folder that several machines share. */
    public static final class SharedFile implements LeaseStoreProvider {
        /** Creates the provider, for {@link java.util.ServiceLoader}. */
        public SharedFile() {}

        @Override
        public String scheme() {
            return "shared-file";
        }

        @Override
        public LeaseStore open(String url) {
            return SharedFolderLeaseStore.open(
                    directory(url, "shared-file:", "a folder, such as shared-file:/mnt/doyen"));
        }
    }

    /** Returns the directory of {@code scheme:PATH} or {@code scheme://PATH}. */
    private static Path directory(String url, String scheme, String missing) {
        String path = url.substring(scheme.length());
        if (path.startsWith("//")) {
            path = path.substring(2);
        }
        if (path.isEmpty()) {
            throw new IllegalArgumentException(scheme + " needs " + missing);
        }
        return Path.of(path);
    }
}
