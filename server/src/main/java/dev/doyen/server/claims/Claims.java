package dev.doyen.server.claims;

import dev.doyen.elector.ElectionView;
import dev.doyen.elector.Elections;
import dev.doyen.hub.Claimant;
import java.util.function.Consumer;

/**
 * Stands for channels' leases on behalf of their members.
 *
 * <p>Threads: {@link #claim} and {@link #release} are called on the hub's one thread, in the hub's order; they must
 * return at once and leave the store to other threads. Results may be reported on any thread.
 *
 * <p>Errors: operating faults are outcomes, not exceptions: a claim that cannot be decided is refused without a holder.
 */
public interface Claims extends AutoCloseable {

    /**
     * Called once, before anything else.
     *
     * @param outcomes where each claim's results go
     * @param changes told of every election whose leader changed, and of each when it first becomes known
     */
    void start(ClaimOutcomes outcomes, Consumer<ElectionView> changes);

    /** Try once to win the channel's lease for this member; exactly one granted or refused is owed, unless released first. */
    void claim(Claimant claimant);

    /** The member no longer leads, and has stopped: release its lease, or give up trying for it. Unknown ones are ignored. */
    void release(Claimant claimant);

    /** The same leases, to look at. */
    Elections elections();

    /** Releases everything that is held, for a bounded time, and reports nothing any more. */
    @Override
    void close();
}
