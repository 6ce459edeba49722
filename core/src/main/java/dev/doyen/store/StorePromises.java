package dev.doyen.store;

/**
 * What a store promises beyond compare-and-set.
 *
 * @param durableTerms a term once confirmed survives the end of every process and of the machine
 * @param watches changes are announced, so that a graceful hand-over does not wait for a poll
 * @param scope how far it reaches, in words: "one JVM", "one machine"
 */
public record StorePromises(boolean durableTerms, boolean watches, String scope) {}
