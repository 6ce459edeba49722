package dev.doyen.spring;

import dev.doyen.election.Candidate;

/** Observes each candidate of this application, for example to bind meters. Threads: one at a time. */
public interface CandidateAttendant {

    /** A candidate has joined. The result is closed before the candidate leaves. */
    Attendance joined(Candidate<?> candidate);

    /** The observation of one candidate, until it leaves. */
    interface Attendance extends AutoCloseable {
        @Override
        void close();
    }
}
