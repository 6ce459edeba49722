/**
 * Elects one leader among processes that know each other, without a store.
 *
 * <p>Start with {@link dev.doyen.group.RingElection#named}.
 */
@SuppressWarnings("module") // The modules that the qualified exports name are built later.
module dev.doyen.ring {
    requires transitive dev.doyen.core;
    requires static transitive org.jspecify;

    exports dev.doyen.group;
    exports dev.doyen.group.settings;
    exports dev.doyen.membership;
}
