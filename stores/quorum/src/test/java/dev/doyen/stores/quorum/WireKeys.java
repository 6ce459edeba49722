package dev.doyen.stores.quorum;

import dev.doyen.store.SharedKey;

/** Keys for tests. Making one takes a fraction of a second. */
final class WireKeys {

    static final SharedKey KEY = SharedKey.of("a secret of thirty-two characters", "doyen-quorum", "test");

    /** Of a stranger. */
    static final SharedKey OTHER = SharedKey.of("another secret of many characters", "doyen-quorum", "test");

    private WireKeys() {}
}
