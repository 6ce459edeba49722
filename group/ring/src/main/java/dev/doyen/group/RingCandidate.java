package dev.doyen.group;

import dev.doyen.election.LocalCandidate;

/** The candidate of a process in an election on a ring. Threads: see {@link LocalCandidate}. */
public interface RingCandidate extends LocalCandidate<RingLeadership> {}
