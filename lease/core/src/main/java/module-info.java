/**
 * Elects one leader by a record in a store.
 *
 * <p>Start with {@link dev.doyen.Election#lease}. Authors of stores start with {@link dev.doyen.store.LeaseStore}. The
 * packages that are exported only to certain modules are internal and can change at any time.
 */
@SuppressWarnings("module") // The qualified exports name modules that are built later.
module dev.doyen.core {
    requires static transitive org.jspecify;

    exports dev.doyen;
    exports dev.doyen.election;
    exports dev.doyen.event;
    exports dev.doyen.fence;
    exports dev.doyen.store;
    exports dev.doyen.candidate to
            dev.doyen.ring;
    exports dev.doyen.driver to
            dev.doyen.ring;
    exports dev.doyen.health to
            dev.doyen.ring;
    exports dev.doyen.log to
            dev.doyen.cluster,
            dev.doyen.ring,
            dev.doyen.spring,
            dev.doyen.stores.etcd,
            dev.doyen.stores.jdbc,
            dev.doyen.stores.kubernetes,
            dev.doyen.stores.quorum,
            dev.doyen.stores.redis,
            dev.doyen.stores.zookeeper;
    exports dev.doyen.metrics to
            dev.doyen.elector.http,
            dev.doyen.group.process,
            dev.doyen.hub.server,
            dev.doyen.micrometer,
            dev.doyen.sidecar;
    exports dev.doyen.store.probe to
            dev.doyen.stores.etcd,
            dev.doyen.stores.jdbc,
            dev.doyen.stores.objects,
            dev.doyen.stores.redis,
            dev.doyen.stores.zookeeper;
    exports dev.doyen.store.support to
            dev.doyen.cluster,
            dev.doyen.stores.etcd,
            dev.doyen.stores.jdbc,
            dev.doyen.stores.kubernetes,
            dev.doyen.stores.objects,
            dev.doyen.stores.quorum,
            dev.doyen.stores.redis,
            dev.doyen.stores.zookeeper;
    exports dev.doyen.stores.local to
            dev.doyen.testkit;
    exports dev.doyen.text to
            dev.doyen.cluster,
            dev.doyen.fence.servlet,
            dev.doyen.ring,
            dev.doyen.spring,
            dev.doyen.stores.jdbc,
            dev.doyen.stores.kubernetes,
            dev.doyen.stores.objects,
            dev.doyen.stores.quorum;

    uses dev.doyen.store.LeaseStoreProvider;

    provides dev.doyen.store.LeaseStoreProvider with
            dev.doyen.stores.local.LocalStores.Memory,
            dev.doyen.stores.local.LocalStores.File,
            dev.doyen.stores.local.LocalStores.SharedFile;
}
