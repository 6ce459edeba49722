package dev.doyen.hub.server.claims;

import dev.doyen.Control;
import dev.doyen.elector.ElectionView;
import dev.doyen.elector.Elections;
import dev.doyen.event.SavedState;
import dev.doyen.hub.step.Claimant;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Campaigns for the leases of channels on behalf of their members.
 *
 * <p>Threads: {@link #claim} and {@link #release} are called on the hub's one thread, in the hub's order. They must
 * return at once and use the store on other threads. Outcomes may be reported on any thread.
 *
 * <p>Errors: operating faults are outcomes, not exceptions. A claim that cannot be decided is rejected without a
 * holder.
 */
public interface Claims extends AutoCloseable {

    /**
     * Starts the claims. Call it once, before all other methods.
     *
     * @param outcomes receives the outcome of each claim
     * @param changes receives each election whose leader has changed, and each election when it first becomes known
     */
    void start(ClaimOutcomes outcomes, Consumer<ElectionView> changes);

    /**
     * Tries once to acquire the lease for this member.
     *
     * <p>It reports exactly one outcome, granted or a rejection, unless the claim is released before.
     */
    void claim(Claimant claimant);

    /**
     * Saves state in the claimant's lease, in the order of the calls.
     *
     * <p>Reports {@link ClaimOutcomes#saved} when the store has this state or a later one; reports nothing if the claim
     * ends first.
     *
     * @param number starts at 1 in every term and rises
     */
    void save(Claimant claimant, long term, long number, SavedState state);

    /**
     * Releases the lease of a member that has stopped leading.
     *
     * <p>This includes what is left of a lost lease. If the member still waits for the lease, its attempt ends. Unknown
     * claimants are ignored.
     */
    void release(Claimant claimant);

    /**
     * Excludes a claimant from the release in {@link #close}, because the member may still believe that it leads.
     *
     * <p>Its lease then expires. Unknown claimants are ignored.
     */
    void abandon(Claimant claimant);

    /**
     * Runs an admin command on an election through its record, wherever the holder runs.
     *
     * <p>Threads: any but the hub's; waits for the store. Errors: those of {@link Control}.
     *
     * @param by the admin, as the record names it
     */
    <T> T ask(String election, String by, Function<Control, T> question);

    /** Reads the state that holders of this election have saved. Threads and errors: as {@link #ask}. */
    SavedState left(String election);

    /**
     * States why the election is paused, as a sentence; empty if it is not paused or not known.
     *
     * <p>Threads: any; answers at once, from memory.
     */
    Optional<String> paused(String election);

    /** Returns the elections that grant the claims. Callers only read them. */
    Elections elections();

    /**
     * Releases all leases that are held and not abandoned, within a bounded time.
     *
     * <p>No outcome is reported afterwards.
     */
    @Override
    void close();
}
