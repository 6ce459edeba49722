package dev.doyen.event;

/**
 * The leader of an election, and its term.
 *
 * @param id the id with which the candidate joined
 * @param term the fencing token: rises with each new leadership, is never used twice and starts at 1
 */
public record Leader(String id, long term) {}
