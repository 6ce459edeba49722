package dev.doyen;

import dev.doyen.election.LocalCandidate;
import dev.doyen.store.LeaseNotes;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A candidate in an election by lease. Threads: see {@link LocalCandidate}. */
public interface LeaseCandidate extends LocalCandidate<LeaseLeadership>, LeaseObserver {

    /**
     * Carries out an admin command that this process has received itself (rule M4).
     *
     * <p>The {@link #history} then names the author and the reason of the command. If the command names a successor,
     * the call hands over as {@link #transferTo} does, otherwise it resigns as {@link #resign()} does. The call has no
     * effect if this candidate does not lead.
     *
     * <p>The future completes like the future of {@link #resign()}. The method never blocks.
     */
    CompletableFuture<Void> stepDown(LeaseNotes.StepDownRequest request);

    /**
     * Carries out an admin command like {@link #stepDown(LeaseNotes.StepDownRequest)}, but with this cooldown.
     *
     * @param cooldown 0 to 1 h
     * @throws IllegalArgumentException if the cooldown is out of these bounds
     */
    CompletableFuture<Void> stepDown(LeaseNotes.StepDownRequest request, Duration cooldown);
}
