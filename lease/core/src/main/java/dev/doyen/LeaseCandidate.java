package dev.doyen;

import dev.doyen.election.LocalCandidate;

/** A candidate in an election by lease. Threads: see {@link LocalCandidate}. */
public interface LeaseCandidate extends LocalCandidate<LeaseLeadership>, LeaseObserver {}
