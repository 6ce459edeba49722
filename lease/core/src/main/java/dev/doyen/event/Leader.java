package dev.doyen.event;

/**
 * The leader of an election, and its term.
 *
 * @param id the id with which the candidate joined
 * @param term the number of the leader's term, 1 or more. In an election by lease, this number is the fencing token,
 *     which rises with each new leadership. In a ring election, this number is the counter of the term
 */
public record Leader(String id, long term) {}
