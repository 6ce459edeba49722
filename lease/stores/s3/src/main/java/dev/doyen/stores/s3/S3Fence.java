package dev.doyen.stores.s3;

import dev.doyen.stores.objects.ObjectFence;
import dev.doyen.stores.objects.ObjectLeaseStore;

/** Opens fences for objects in a bucket. */
public final class S3Fence {

    private S3Fence() {}

    /**
     * Opens a fence for the objects under a URL {@code s3://bucket/prefix}. A store's URL has the same form.
     *
     * <p>The method first checks that the server honours conditional writes. A store makes the same check when it is
     * opened.
     *
     * @throws IllegalArgumentException if the URL is invalid
     * @throws dev.doyen.store.StoreUnavailableException if the server does not answer, answers a request with an error,
     *     or ignores the conditions of writes
     */
    public static ObjectFence open(String url) {
        S3Place place = S3Place.of(url);
        S3Objects objects = place.open();
        ObjectLeaseStore.check(objects, place.prefix(), objects.promises());
        return new ObjectFence(objects, place.prefix());
    }
}
