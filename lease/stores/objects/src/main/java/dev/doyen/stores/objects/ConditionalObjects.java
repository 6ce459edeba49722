package dev.doyen.stores.objects;

import java.util.Optional;

/**
 * An interface to an object store with conditional writes.
 *
 * <p>Each object has a tag (an ETag). If the bytes of an object change, its tag changes too.
 *
 * <p>Threads: any number of concurrent calls. A call blocks at most for the timeout of one request. An implementation
 * must not repeat a write, because the service would refuse the repetition of a successful write.
 */
public interface ConditionalObjects extends AutoCloseable {

    /**
     * Returns the object with this key, or empty if the object does not exist.
     *
     * @throws dev.doyen.store.StoreUnavailableException if the service gives no usable answer
     * @throws dev.doyen.store.StoreRefusedException if the service rejects the read because a right is missing
     * @throws dev.doyen.store.UnreadableRecordException if the object is larger than {@code maxBytes}
     */
    Optional<StoredObject> get(String key, int maxBytes);

    /**
     * Writes the object if it still has this tag.
     *
     * <p>If {@code ifTag} is empty, the service writes only if no object has this key. The method does not throw for a
     * fault of the service or the network, but returns {@link PutOutcome.Unknown}.
     */
    PutOutcome put(String key, ObjectContent content, Optional<String> ifTag);

    @Override
    void close();
}
