package dev.doyen.hub.server.claims;

import dev.doyen.Control;
import dev.doyen.elector.ElectionView;
import dev.doyen.elector.Elections;
import dev.doyen.event.SavedState;
import dev.doyen.hub.step.Claimant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Campaigns for the leases of channels on behalf of the channels' members.
 *
 * <p>The hub's thread calls {@link #claim} and {@link #release} in the order of the hub's effects. Both methods must
 * return at once and use the store on other threads. Any thread may report outcomes.
 *
 * <p>Neither method throws an exception for an operating fault. If a fault prevents the decision on a claim, the
 * outcome is a rejection without a holder.
 */
public interface Claims extends AutoCloseable {

    /**
     * Starts the claims. The caller must call this method once, before the first claim.
     *
     * @param outcomes the receiver of the outcome of each claim
     * @param changes the receiver of each election whose leader has changed
     */
    void start(ClaimOutcomes outcomes, Consumer<ElectionView> changes);

    /**
     * Tries once to acquire the lease for this member.
     *
     * <p>The outcome is a grant, a rejection, or a report that the election is paused. This method reports exactly one
     * outcome, unless the hub releases the claim first. The hub can receive an outcome after it has released the claim,
     * because outcomes wait in its queue.
     */
    void claim(Claimant claimant);

    /**
     * Saves state in the claimant's lease, in the order of the calls.
     *
     * <p>The method reports {@link ClaimOutcomes#saved} when the store has this state or a later one. The method
     * reports nothing if the claim ends first.
     *
     * @param number the number of the save, which starts at 1 in every term and rises
     */
    void save(Claimant claimant, long term, long number, SavedState state);

    /**
     * Releases the lease of a member that has stopped leading.
     *
     * <p>If the member has lost its leadership but the lease has not expired yet, the call releases the lease at once.
     * If the member still waits for the lease, its attempt ends. The method ignores unknown claimants. A claimant
     * with another {@link Claimant#attempt} is unknown, even if its member holds the lease.
     */
    void release(Claimant claimant);

    /**
     * Excludes a claimant from the release in {@link #close}. The member perhaps still acts as the leader.
     *
     * <p>The lease of the member then expires. The method ignores unknown claimants.
     */
    void abandon(Claimant claimant);

    /** Excludes all claimants from the release in {@link #close}. Their leases expire. */
    void abandonAll();

    /**
     * Executes an admin command on an election through the lease record. The holder can run in any process.
     *
     * <p>The method waits for the store, so the hub's thread must not call it. The method throws the errors of {@link
     * Control}.
     *
     * @param by the name of the admin in the record
     */
    <T> T execute(String election, String by, Function<Control, T> action);

    /**
     * Reads the state that holders of this election have saved. This method has the same threads and errors as {@link
     * #execute}.
     */
    SavedState left(String election);

    /**
     * Returns the reason why the election is paused, as a sentence. The result is empty if the election is not paused
     * or its state is unknown.
     *
     * <p>Any thread may call the method, which answers from memory without waiting.
     */
    Optional<String> paused(String election);

    /**
     * Returns the known faults of the store, each as a sentence. A store with a fault, such as too little free space,
     * can still answer. The result is empty if no fault is known.
     *
     * <p>Any thread may call the method, which does not wait for the store.
     */
    List<String> faults();

    /** Returns the counts of the claims. Any thread may call the method, which does not wait for the store. */
    ClaimCounts counts();

    /** Returns the elections that grant the claims. Callers must only read them. */
    Elections elections();

    /**
     * Releases all leases that are held and not abandoned, within a limited time.
     *
     * <p>The object reports no outcome after this call.
     */
    @Override
    void close();
}
