package dev.doyen.stores.azureblob;

import dev.doyen.stores.objects.ConditionalObjects;
import dev.doyen.stores.objects.ObjectFence;
import dev.doyen.stores.objects.ObjectLeaseStore;

/** Opens fences for blobs in a container. */
public final class BlobFence {

    private BlobFence() {}

    /**
     * Opens a fence for the blobs under a URL {@code azblob://container/prefix}. A store's URL has the same form.
     *
     * <p>The method first checks that the service honours conditional writes. A store makes the same check when it is
     * opened.
     *
     * @throws IllegalArgumentException if the URL is invalid
     * @throws dev.doyen.store.StoreUnavailableException if the account or the credentials are missing or malformed, if
     *     the service fails or does not answer, or if it ignores the conditions of writes
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
