package dev.doyen.store;

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
}
