package dev.doyen.spring;

import dev.doyen.election.Candidate;

/**
 * An interface for beans that observe each candidate of this application.
 *
 * <p>For example, such a bean binds meters. Threads: any thread may call the methods, but for one election only one
 * thread at a time.
 */
public interface CandidateObserver {

    /**
     * Starts to observe a candidate that has joined. The returned observation is closed before the candidate leaves.
     *
     * <p>If the method throws, the candidate leaves, and the exception reaches the caller that joined the election.
     */
    CandidateObservation joined(Candidate<?> candidate);

    /** The observation of one candidate until the candidate leaves. */
    interface CandidateObservation extends AutoCloseable {
        @Override
        void close();
    }
}
