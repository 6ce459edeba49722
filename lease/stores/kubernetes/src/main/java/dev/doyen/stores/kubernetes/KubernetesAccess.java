package dev.doyen.stores.kubernetes;

import java.util.Set;
import java.util.TreeSet;

/**
 * Asks the API server for the account's rights before the program uses them.
 *
 * <p>A program can then avoid the actions that the Role does not grant, for example updates.
 *
 * <p>The class uses SelfSubjectAccessReview. Every account may create this review, and every authorizer answers it.
 */
public final class KubernetesAccess {

    private KubernetesAccess() {}

    /**
     * Checks the account's rights on the Lease of an election. The method blocks for five requests.
     *
     * @param url a URL of the store, {@code kubernetes:NAMESPACE}
     * @throws IllegalArgumentException if the URL is invalid
     * @throws dev.doyen.store.StoreUnavailableException if the credentials cannot be read, or if the server rejects
     *     them or does not answer
     */
    public static AccessReport check(String url, String election) {
        KubernetesSettings settings = KubernetesSettings.of(url);
        return check(new KubernetesApi(settings.cluster(), settings.timeout()), election);
    }

    static AccessReport check(KubernetesApi api, String election) {
        String lease = LeaseObjectNames.of(election);
        Set<String> missing = new TreeSet<>();
        for (String verb : AccountRights.NEEDED) {
            // The review of a create request has no name, because authorizers receive no name for this verb.
            String name = verb.equals("create") ? "" : lease;
            if (!AccountRights.may(api, verb, "coordination.k8s.io", "leases", name)) {
                missing.add(verb);
            }
        }
        return new AccessReport(
                api.cluster().namespace(), lease, missing, AccountRights.may(api, "get", "", "pods", ""));
    }
}
