package dev.doyen.stores.azureblob;

import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseStoreProvider;
import dev.doyen.stores.objects.ObjectLeaseStore;

/**
 * Opens stores for {@code azblob://container/prefix}, with the parameters of {@link BlobPlace}.
 *
 * <p>The provider first checks that the service honours conditional writes. For this check it writes objects whose
 * names consist of the prefix, {@code %7Eprobe-} and a suffix.
 */
public final class BlobLeaseStoreProvider implements LeaseStoreProvider {

    @Override
    public String scheme() {
        return BlobPlace.SCHEME;
    }

    @Override
    public LeaseStore open(String url) {
        BlobPlace place = BlobPlace.of(url, System.getenv());
        return ObjectLeaseStore.open(place.open(), place.prefix(), BlobObjects.PROMISES);
    }
}
