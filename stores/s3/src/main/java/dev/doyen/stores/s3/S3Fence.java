package dev.doyen.stores.s3;

import dev.doyen.stores.objects.ObjectFence;
import dev.doyen.stores.objects.ObjectLeaseStore;

/** Opens fences for objects in a bucket. */
public final class S3Fence {

    private S3Fence() {}

    /**
     * A fence for the objects under {@code s3://bucket/prefix}; the URL is that of a store. The server is tried first,
     * as when a store is opened.
     *
     * @throws IllegalArgumentException for a URL that cannot be meant
     * @throws dev.doyen.store.StoreUnavailableException if the server does not answer, or ignores conditions
     */
    public static ObjectFence open(String url) {
        S3Place place = S3Place.of(url);
        S3Objects objects = place.open();
        ObjectLeaseStore.check(objects, place.prefix(), objects.promises());
        return new ObjectFence(objects, place.prefix());
    }
}
