package dev.doyen.stores.s3;

import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseStoreProvider;
import dev.doyen.stores.objects.ObjectLeaseStore;

/**
 * Opens stores for {@code s3://bucket/prefix}, with the parameters of {@link S3Place}.
 *
 * <p>The provider first checks that the server honours conditional writes. For this check it writes objects whose
 * keys begin with the prefix and {@code %7Eprobe-}. The provider rejects a server that ignores the conditions of these
 * writes.
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
