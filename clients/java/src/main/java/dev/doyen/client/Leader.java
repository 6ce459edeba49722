package dev.doyen.client;

import org.jspecify.annotations.Nullable;

/**
 * The question in one line: {@code if (Leader.isLeader()) ...}. Where the elector is, the environment says, as with NAIS:
 * {@code ELECTOR_GET_URL}.
 */
public final class Leader {

    private static volatile @Nullable Elector elector;

    private Leader() {}

    /**
     * True if the elector names this process as the leader, asked now. False if it names another or nobody, and if it does
     * not answer within 2 s: {@link Elector} has it otherwise. Waits for the answer. Threads: any.
     *
     * @throws IllegalStateException if {@code ELECTOR_GET_URL} is not set: then nothing can ever be known
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
