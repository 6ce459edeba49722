package dev.doyen.stores.kubernetes;

import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseStoreProvider;

/** Opens stores for {@code kubernetes:[NAMESPACE][?kubeconfig=PATH&context=NAME&timeout-millis=2000&pod=NAME]}. */
public final class KubernetesLeaseStoreProvider implements LeaseStoreProvider {

    @Override
    public String scheme() {
        return "kubernetes";
    }

    @Override
    public LeaseStore open(String url) {
        return KubernetesLeaseStore.open(KubernetesSettings.of(url));
    }
}
