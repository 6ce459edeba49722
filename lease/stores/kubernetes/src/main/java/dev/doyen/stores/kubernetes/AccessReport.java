package dev.doyen.stores.kubernetes;

import java.util.Set;
import java.util.TreeSet;

/**
 * What an account may do with one election's Lease.
 *
 * @param namespace the Lease's namespace
 * @param lease the Lease's name
 * @param missing those of the verbs create, list, update and watch on Leases that the account's Roles do not grant
 * @param mayGetPods whether the account can detect that the holder of a non-expiring lease has died
 */
public record AccessReport(String namespace, String lease, Set<String> missing, boolean mayGetPods) {

    public AccessReport {
        missing = Set.copyOf(missing);
    }

    /** Returns whether the account can renew, release and take over the lease. */
    public boolean mayRenew() {
        return !missing.contains("update") && !missing.contains("list");
    }

    /** Returns whether the account can create the Lease if it does not exist, as for a non-expiring lease. */
    public boolean mayCreate() {
        return !missing.contains("create");
    }

    /** Describes the missing verbs and their consequences. Empty if no verb is missing. */
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
