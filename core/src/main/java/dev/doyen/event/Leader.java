package dev.doyen.event;

/**
 * Who leads an election, and since which term.
 *
 * @param id the candidate's id, as it joined
 * @param term the fencing token: rises at each change of holder and is never reused; starts at 1
 */
public record Leader(String id, long term) {}
