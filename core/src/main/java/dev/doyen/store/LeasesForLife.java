package dev.doyen.store;

/**
 * A store in which whoever takes a lease has it for life: it is neither renewed nor given back, and ends with what it belongs
 * to, such as the holder's Pod.
 *
 * @param store of which one election may be read and written; closed instead of the one it came from
 * @param why what the account lacks, and what follows from that: a sentence for people
 */
public record LeasesForLife(LeaseStore store, String why) {}
