package dev.doyen.stores.objects;

import java.util.Optional;

/**
 * The port to a service that keeps objects under keys and writes them on condition. Every state of an object has a tag
 * of its own (an ETag) that follows from its content at the least.
 *
 * <p>Threads: any number may call at once; calls block no longer than the service's timeout. A write must reach the
 * service once: a client that sends it again by itself may turn its own success into a refusal.
 */
public interface ConditionalObjects extends AutoCloseable {

    /**
     * The object under this key; empty if there is none.
     *
     * @throws dev.doyen.store.StoreUnavailableException if the service gives no usable answer, or the object is larger
     *     than {@code maxBytes}
     */
    Optional<StoredObject> get(String key, int maxBytes);

    /**
     * Writes the object if it has this tag still; if the tag is empty, only if there is no object under this key. Never
     * throws for what the service or the network does: that is {@link PutOutcome.Unknown}.
     */
    PutOutcome put(String key, ObjectContent content, Optional<String> ifTag);

    @Override
    void close();
}
