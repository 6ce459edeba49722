package dev.doyen.stores.objects;

import java.util.Optional;

/**
 * The port to an object store with conditional writes.
 *
 * <p>Each state of an object has its own tag (an ETag), which depends at least on the content.
 *
 * <p>Threads: any number at once. Calls block no longer than the service's timeout. An implementation must not repeat a
 * write, because the repetition of a successful write may be refused.
 */
public interface ConditionalObjects extends AutoCloseable {

    /**
     * Returns the object under this key, or empty if it does not exist.
     *
     * @throws dev.doyen.store.StoreUnavailableException if the service gives no usable answer, or the object is larger
     *     than {@code maxBytes}
     */
    Optional<StoredObject> get(String key, int maxBytes);

    /**
     * Writes the object if it still has this tag.
     *
     * <p>If {@code ifTag} is empty, it writes only if no object has this key. It never throws for a fault of the
     * service or the network, but returns {@link PutOutcome.Unknown}.
     */
    PutOutcome put(String key, ObjectContent content, Optional<String> ifTag);

    @Override
    void close();
}
