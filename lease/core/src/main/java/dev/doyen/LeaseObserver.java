package dev.doyen;

import dev.doyen.election.Observer;
import dev.doyen.store.PastTerm;
import java.util.List;

/** A participant that watches an election by lease. Threads: any; only {@link #close} blocks. */
public interface LeaseObserver extends Observer {

    /**
     * Returns the terms that have ended, the latest first, at most {@value dev.doyen.store.LeaseNotes#MAX_PAST}.
     *
     * <p>Each entry contains the leader, when the term began and ended, and why it ended. If an admin
     * command ended the term, the entry also contains who sent it, and the reason. Nobody led between two entries. Each
     * time was taken from the clock of the process that wrote it.
     */
    List<PastTerm> history();
}
