package dev.doyen.stores.s3;

import dev.doyen.stores.objects.ObjectFence;
import dev.doyen.stores.objects.ObjectLeaseStore;

/** Opens fences for objects in a bucket. */
public final class S3Fence {

    private S3Fence() {}

    /**
     * Opens a fence for the objects under {@code s3://bucket/prefix}, the URL of a store.
     *
     * <p>It first checks the server, as for a store.
     *
     * @throws IllegalArgumentException if the URL is invalid
     * @throws dev.doyen.store.StoreUnavailableException if the server does not answer, or ignores conditions
     */
    public static ObjectFence open(String url) {
        S3Place place = S3Place.of(url);
        S3Objects objects = place.open();
        ObjectLeaseStore.check(objects, place.prefix(), objects.promises());
        return new ObjectFence(objects, place.prefix());
    }
}
