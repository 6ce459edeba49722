package dev.doyen.store;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/** Opens a store by its URL, with whatever {@link LeaseStoreProvider}s are on the class path. */
public final class LeaseStores {

    /** Where the schemes live that are not in this module, for the person who forgot to add it. */
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
     * Opens the store that {@code url} names: {@code memory:}, {@code memory:NAME}, {@code file:/dir} in this module,
     * more with further modules. Throws {@link IllegalArgumentException} for a URL that cannot be meant, and
     * {@link StoreUnavailableException} if the store cannot be used. Only the scheme of a URL is ever repeated in a
     * message, for the rest may hold a password.
     */
    public static LeaseStore open(String url) {
        int colon = url.indexOf(':');
        if (colon < 1) {
            throw new IllegalArgumentException(
                    "a store is named by a URL such as file:/var/lib/doyen or memory:, " + "but this has no scheme");
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
        String remedy = artifact == null ? "" : "; add dev.doyen:" + artifact;
        throw new IllegalArgumentException("no store for \"" + scheme + ":\" on the class path" + remedy + "; there is "
                + String.join(", ", known));
    }
}
