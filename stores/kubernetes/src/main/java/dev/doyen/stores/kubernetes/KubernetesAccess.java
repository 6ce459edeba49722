package dev.doyen.stores.kubernetes;

import java.util.Set;
import java.util.TreeSet;

/**
 * Asks the API server what the account may do, before anything is tried: with a Role that lacks {@code update} a program can
 * still fall back on what that Role allows.
 *
 * <p>Uses SelfSubjectAccessReview, which every account may create and every authorizer answers.
 */
public final class KubernetesAccess {

    private KubernetesAccess() {}

    /**
     * Blocks for some five requests.
     *
     * @param url as for the store: {@code kubernetes:NAMESPACE}
     * @throws IllegalArgumentException for a URL that cannot be meant
     * @throws dev.doyen.store.StoreUnavailableException if the server cannot be asked
     */
    public static AccessReport check(String url, String election) {
        KubernetesSettings settings = KubernetesSettings.of(url);
        return check(new KubernetesApi(settings.cluster(), settings.timeout()), election);
    }

    static AccessReport check(KubernetesApi api, String election) {
        String lease = LeaseObjectNames.of(election);
        Set<String> missing = new TreeSet<>();
        for (String verb : AccountRights.NEEDED) {
            // What is to be created has no name yet, as far as authorizers are concerned.
            String name = verb.equals("create") ? "" : lease;
            if (!AccountRights.may(api, verb, "coordination.k8s.io", "leases", name)) {
                missing.add(verb);
            }
        }
        return new AccessReport(
                api.cluster().namespace(), lease, missing, AccountRights.may(api, "get", "", "pods", ""));
    }
}
