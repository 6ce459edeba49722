package dev.doyen;

import dev.doyen.election.Observer;
import dev.doyen.store.LeaseNotes;
import java.util.List;

/** A participant that watches an election by lease. Threads: any; only {@link #close} blocks. */
public interface LeaseObserver extends Observer {

    /**
     * Returns the terms that have ended, the latest first, at most {@value LeaseNotes#MAX_PAST}.
     *
     * <p>Each entry contains the leader, the times of the start and the end of the term, and the cause of the end. If
     * an admin command ended the term, the entry also contains the author of the command and the reason. No candidate
     * led in the time between the terms of two consecutive entries. The times come from the clocks of the processes
     * that wrote them.
     */
    List<LeaseNotes.PastTerm> history();
}
