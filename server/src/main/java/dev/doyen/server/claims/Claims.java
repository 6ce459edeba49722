package dev.doyen.server.claims;

import dev.doyen.Control;
import dev.doyen.elector.ElectionView;
import dev.doyen.elector.Elections;
import dev.doyen.event.HandOverState;
import dev.doyen.hub.Claimant;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

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

    /**
     * Keep this in the claimant's lease, in the order of calls. {@link ClaimOutcomes#saved} is owed once the store has it,
     * or a later one; nothing if the claim ends first.
     *
     * @param number rises from 1 in every term
     */
    void save(Claimant claimant, long term, long number, HandOverState state);

    /**
     * The member no longer leads, and has stopped: release its lease, or what is left of it if it was lost, or give up trying
     * for it. Unknown ones are ignored.
     */
    void release(Claimant claimant);

    /**
     * The member may still believe that it leads: {@link #close} is not to give its lease back, which then runs out by
     * itself. Unknown ones are ignored.
     */
    void abandon(Claimant claimant);

    /**
     * Asks something of an election through its record: of whoever holds it, on this hub or elsewhere.
     *
     * <p>Threads: any but the hub's; waits for the store. Errors: as {@link Control} has them.
     *
     * @param by who asks
     */
    <T> T ask(String election, String by, Function<Control, T> question);

    /** What holders of this election have left, as the store has it. Threads and errors: as {@link #ask}. */
    HandOverState left(String election);

    /**
     * Why nobody may lead in this election just now, as a sentence; empty if somebody may, or nothing is known of it.
     *
     * <p>Threads: any; answers from memory, at once.
     */
    Optional<String> paused(String election);

    /** The same leases, to look at. */
    Elections elections();

    /** Releases everything that is held and was not abandoned, for a bounded time, and reports nothing any more. */
    @Override
    void close();
}
