package dev.doyen.store;

/**
 * A store of non-expiring leases.
 *
 * <p>A holder neither renews nor releases such a lease. The lease ends with the object that owns it, such as the
 * holder's Pod.
 *
 * @param store reads and writes one election only. Close it instead of the store that it came from
 * @param why which permission the account lacks, and the consequence; a sentence for people
 */
public record NonExpiringLeases(LeaseStore store, String why) {}
