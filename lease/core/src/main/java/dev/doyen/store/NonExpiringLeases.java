package dev.doyen.store;

/**
 * A store of non-expiring leases.
 *
 * <p>A holder neither renews nor releases such a lease. The lease ends with the object that owns it, such as the
 * holder's Pod.
 *
 * @param store the store for one election only. The caller closes this store instead of the original store
 * @param why a sentence for people: which permission the account lacks, and the consequence
 */
public record NonExpiringLeases(LeaseStore store, String why) {}
