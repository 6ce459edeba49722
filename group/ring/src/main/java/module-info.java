/**
 * Elects one leader among the processes of a group, without a store.
 *
 * <p>Start with {@link dev.doyen.group.RingElection#named}.
 */
@SuppressWarnings("module")
module dev.doyen.ring {
    requires transitive dev.doyen.core;
    requires static transitive org.jspecify;

    exports dev.doyen.group;
    exports dev.doyen.group.settings;
    exports dev.doyen.membership;
}
