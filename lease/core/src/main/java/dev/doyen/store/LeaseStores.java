package dev.doyen.store;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/** Opens a store by its URL, with the {@link LeaseStoreProvider}s on the class path. */
public final class LeaseStores {

    /**
     * The artifact for each URL scheme that another module opens. If the artifact is missing, the error message names
     * it.
     */
    private static final Map<String, String> ARTIFACTS = Map.of(
            "jdbc", "doyen-store-jdbc",
            "s3", "doyen-store-s3",
            "azblob", "doyen-store-azure-blob",
            "zookeeper", "doyen-store-zookeeper",
            "etcd", "doyen-store-etcd",
            "kubernetes", "doyen-store-kubernetes",
            "quorum", "doyen-store-quorum",
            "redis", "doyen-store-redis",
            "rediss", "doyen-store-redis");

    private LeaseStores() {}

    /**
     * Opens the store at {@code url}.
     *
     * <p>This module opens {@code memory:}, {@code memory:NAME}, {@code file:/dir} and {@code shared-file:/dir}. Other
     * modules open further schemes. The messages of this method contain only the scheme of the URL, because the other
     * parts can contain a password. The provider of a scheme decides what its own messages contain.
     *
     * @throws IllegalArgumentException if the URL is invalid, or the class path has no provider for its scheme
     * @throws StoreUnavailableException if the store cannot be used
     */
    public static LeaseStore open(String url) {
        int colon = url.indexOf(':');
        if (colon < 1) {
            throw new IllegalArgumentException(
                    "the URL of the store has no scheme; use a URL such as file:/var/lib/doyen or memory:");
        }
        String scheme = url.substring(0, colon);
        List<String> known = new ArrayList<>();
        for (LeaseStoreProvider provider : ServiceLoader.load(LeaseStoreProvider.class)) {
            if (provider.scheme().equals(scheme)) {
                return provider.open(url);
            }
            known.add(provider.scheme() + ":");
        }
        Collections.sort(known);
        String artifact = ARTIFACTS.get(scheme);
        throw new IllegalArgumentException("no store for \"" + scheme + ":\" on the class path; "
                + (artifact == null ? "" : "add dev.doyen:" + artifact + ", or ") + "use one of "
                + String.join(", ", known));
    }
}
