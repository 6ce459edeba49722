package dev.doyen.event;

/**
 * The leader of an election, and its term.
 *
 * @param id the id with which the candidate joined
 * @param term the fencing token. It starts at 1, rises with each new leadership, and is never used twice
 */
public record Leader(String id, long term) {}
