package dev.doyen.client;

import org.jspecify.annotations.Nullable;

/**
 * Provides a one-line check whether this process leads, {@code if (Leader.isLeader()) ...}.
 *
 * <p>The environment variable {@code ELECTOR_GET_URL} contains the address of the elector, as on NAIS.
 */
public final class Leader {

    private static volatile @Nullable Elector elector;

    private Leader() {}

    /**
     * Returns true if the elector reports this process as the leader. The method sends a request and blocks until the
     * answer.
     *
     * <p>The result is false if the elector reports another leader or no leader, or if it does not answer within 2 s.
     * Use {@link Elector} to choose other settings. The method may be called on any thread.
     *
     * @throws IllegalStateException if neither {@code ELECTOR_GET_URL} nor the older {@code ELECTOR_PATH} is set
     */
    public static boolean isLeader() {
        Elector known = elector;
        if (known == null) {
            known = Elector.fromEnvironment();
            elector = known;
        }
        return known.isLeader();
    }
}
