package dev.doyen.stores.azureblob;

import dev.doyen.stores.objects.ConditionalObjects;
import dev.doyen.stores.objects.ObjectFence;
import dev.doyen.stores.objects.ObjectLeaseStore;

/** Opens fences for blobs in a container. */
public final class BlobFence {

    private BlobFence() {}

    /**
     * Opens a fence for the blobs under {@code azblob://container/prefix}, the URL of a store.
     *
     * <p>It first checks the service, as for a store.
     *
     * @throws IllegalArgumentException if the URL is invalid
     * @throws dev.doyen.store.StoreUnavailableException if the service does not answer, or ignores conditions
     */
    public static ObjectFence open(String url) {
        return open(BlobPlace.of(url, System.getenv()));
    }

    static ObjectFence open(BlobPlace place) {
        ConditionalObjects objects = place.open();
        ObjectLeaseStore.check(objects, place.prefix(), BlobObjects.PROMISES);
        return new ObjectFence(objects, place.prefix());
    }
}
