package dev.doyen.stores.s3;

import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseStoreProvider;
import dev.doyen.stores.objects.ObjectLeaseStore;

/**
 * Opens {@code s3://bucket/prefix}, with the parameters of {@link S3Place}.
 *
 * <p>It first checks that the server honours conditional writes, on keys that begin with {@code ~probe-}, and rejects a
 * server that does not.
 */
public final class S3LeaseStoreProvider implements LeaseStoreProvider {

    @Override
    public String scheme() {
        return S3Place.SCHEME;
    }

    @Override
    public LeaseStore open(String url) {
        S3Place place = S3Place.of(url);
        S3Objects objects = place.open();
        return ObjectLeaseStore.open(objects, place.prefix(), objects.promises());
    }
}
