package dev.doyen.client;

import org.jspecify.annotations.Nullable;

/**
 * Asks in one line whether this process leads: {@code if (Leader.isLeader()) ...}.
 *
 * <p>The environment variable {@code ELECTOR_GET_URL} names the elector, as on NAIS.
 */
public final class Leader {

    private static volatile @Nullable Elector elector;

    private Leader() {}

    /**
     * Asks the elector now whether this process leads. Blocks until the answer.
     *
     * <p>False if the elector names another process or no leader, or does not answer within 2 s. {@link Elector} has
     * other settings. Threads: any.
     *
     * @throws IllegalStateException if {@code ELECTOR_GET_URL} is not set
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
