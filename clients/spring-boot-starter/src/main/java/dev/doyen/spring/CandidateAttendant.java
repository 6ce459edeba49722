package dev.doyen.spring;

import dev.doyen.Candidate;

/** Is told of each candidate that this application has: for meters, logs and the like. Threads: one at a time. */
public interface CandidateAttendant {

    /** A candidate has joined; what is returned is closed before it leaves. */
    Attendance joined(Candidate candidate);

    /** From when the candidate joined until it leaves. */
    interface Attendance extends AutoCloseable {
        @Override
        void close();
    }
}
