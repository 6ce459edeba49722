package dev.doyen.stores.kubernetes;

import java.util.Set;
import java.util.TreeSet;

/**
 * What an account may do with one election's Lease.
 *
 * @param namespace where the Lease is
 * @param lease the Lease's name
 * @param missing of the verbs create, list, update and watch on Leases, those that its Roles do not give it
 * @param mayGetPods whether it could see that a leader for life has died
 */
public record AccessReport(String namespace, String lease, Set<String> missing, boolean mayGetPods) {

    public AccessReport {
        missing = Set.copyOf(missing);
    }

    /** True if it can lead as Doyen does: renew, expire, give back. */
    public boolean mayRenew() {
        return !missing.contains("update") && !missing.contains("list");
    }

    /** True if it can make the Lease that is not there, as a leader for life does. */
    public boolean mayCreate() {
        return !missing.contains("create");
    }

    /** What is missing and what follows from it, for people; empty if nothing is. */
    public String sentence() {
        var text = new StringBuilder();
        for (String verb : new TreeSet<>(missing)) {
            text.append(text.isEmpty() ? "the account may not " : ", and may not ")
                    .append('"')
                    .append(verb)
                    .append("\" the Lease ")
                    .append(lease)
                    .append(" in namespace ")
                    .append(namespace)
                    .append(": ")
                    .append(AccountRights.consequence(verb));
        }
        return text.toString();
    }
}
