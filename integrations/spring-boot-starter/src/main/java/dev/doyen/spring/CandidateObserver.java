package dev.doyen.spring;

import dev.doyen.election.Candidate;

/** Observes each candidate of this application, for example to bind meters. Threads: one at a time. */
public interface CandidateObserver {

    /** A candidate has joined. The result is closed before the candidate leaves. */
    CandidateObservation joined(Candidate<?> candidate);

    /** The observation of one candidate, until it leaves. */
    interface CandidateObservation extends AutoCloseable {
        @Override
        void close();
    }
}
