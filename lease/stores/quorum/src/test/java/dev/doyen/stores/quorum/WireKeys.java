package dev.doyen.stores.quorum;

import dev.doyen.store.support.SharedKey;

/** Shared keys for tests. The keys are constants, because the derivation of a key takes a fraction of a second. */
final class WireKeys {

    static final SharedKey KEY = SharedKey.of("a secret of thirty-two characters", "doyen-quorum", "test");

    /** The key of a process that does not have the members' secret. */
    static final SharedKey OTHER = SharedKey.of("another secret of many characters", "doyen-quorum", "test");

    private WireKeys() {}
}
