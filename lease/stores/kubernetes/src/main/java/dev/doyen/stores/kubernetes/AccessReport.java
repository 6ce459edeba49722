package dev.doyen.stores.kubernetes;

import java.util.Set;
import java.util.TreeSet;

/**
 * The rights that an account has on the Lease of one election.
 *
 * @param namespace the Lease's namespace
 * @param lease the Lease's name
 * @param missing the verbs among create, list, update and watch that the account's Roles do not grant on this Lease
 * @param mayGetPods true if the account can detect that the holder of a non-expiring lease has died
 */
public record AccessReport(String namespace, String lease, Set<String> missing, boolean mayGetPods) {

    public AccessReport {
        missing = Set.copyOf(missing);
    }

    /** Returns true if the account can renew, release and take over the lease. */
    public boolean mayRenew() {
        return !missing.contains("update") && !missing.contains("list");
    }

    /** Returns true if the account can create a missing Lease. Non-expiring leases require this right. */
    public boolean mayCreate() {
        return !missing.contains("create");
    }

    /** Describes the missing verbs and their consequences. The result is empty if no verb is missing. */
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
