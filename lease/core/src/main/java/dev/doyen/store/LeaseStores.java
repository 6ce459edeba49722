package dev.doyen.store;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/** Finds the {@link LeaseStoreProvider} of a URL's scheme, and opens the store. */
final class LeaseStores {

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

    static LeaseStore open(String url) {
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
