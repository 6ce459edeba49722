package dev.doyen;

import dev.doyen.event.Leader;
import dev.doyen.store.LeaseNotes;
import java.util.Optional;

/**
 * Sends admin commands to an election by writing them into its record.
 *
 * <p>The leader can run in any process, because it reads the commands from the record. It carries out a command at its
 * next renewal, or earlier if the store announces changes (rules M1, M4). In an election of {@link Elections}, the
 * leader does not renew the record, and carries out a command after its next read of the record (rule L12).
 *
 * <p>Threads: any. Every method blocks until the store has answered, usually for two round trips. Errors: {@link
 * dev.doyen.store.StoreUnavailableException} if the store does not answer, or if other processes change the record
 * during every attempt. If the store does not answer a write, it is unknown whether the store has written the command.
 */
public interface Control {

    /**
     * Asks the leader to step down.
     *
     * @param reason a text for people, written into the record; at most 255 characters, may be empty
     * @return the holder in the record, even if its lease has expired; empty if the record has no holder. Without a
     *     holder, the method writes nothing
     */
    Optional<Leader> resign(String reason);

    /**
     * Asks the leader to hand over to the candidate with this id.
     *
     * <p>After the leader has released the lease, the other candidates wait for half a ttl. If the named candidate does
     * not lead by then, all candidates compete (rule M2).
     *
     * @param reason a text for people, written into the record; at most 255 characters, may be empty
     * @return the holder in the record, even if its lease has expired; empty if the record has no holder. Without a
     *     holder, the method writes nothing
     */
    Optional<Leader> transferTo(String id, String reason);

    /**
     * Pauses the election until {@link #resume} (rule M1).
     *
     * <p>The leader steps down, and no candidate acquires the lease.
     *
     * @param reason a text for people, written into the record; at most 255 characters, may be empty
     */
    void pause(String reason);

    /** Ends a pause. Returns the pause that has ended; the result is empty if the election was not paused. */
    Optional<LeaseNotes.Pause> resume();
}
