package dev.doyen.stores.kubernetes;

import java.util.Set;
import java.util.TreeSet;

/**
 * Asks the API server what the account may do, before the program tries anything.
 *
 * <p>If the Role lacks {@code update}, the program can then use the rights that the Role does grant.
 *
 * <p>Uses SelfSubjectAccessReview, which every account may create and every authorizer answers.
 */
public final class KubernetesAccess {

    private KubernetesAccess() {}

    /**
     * Checks the account's rights on the Lease of an election. Blocks for about five requests.
     *
     * @param url a URL of the store, {@code kubernetes:NAMESPACE}
     * @throws IllegalArgumentException if the URL is invalid
     * @throws dev.doyen.store.StoreUnavailableException if the server does not answer
     */
    public static AccessReport check(String url, String election) {
        KubernetesSettings settings = KubernetesSettings.of(url);
        return check(new KubernetesApi(settings.cluster(), settings.timeout()), election);
    }

    static AccessReport check(KubernetesApi api, String election) {
        String lease = LeaseObjectNames.of(election);
        Set<String> missing = new TreeSet<>();
        for (String verb : AccountRights.NEEDED) {
            // Without a name, because authorizers do not see the name in a create request.
            String name = verb.equals("create") ? "" : lease;
            if (!AccountRights.may(api, verb, "coordination.k8s.io", "leases", name)) {
                missing.add(verb);
            }
        }
        return new AccessReport(
                api.cluster().namespace(), lease, missing, AccountRights.may(api, "get", "", "pods", ""));
    }
}
