package dev.doyen.stores.kubernetes;

import dev.doyen.store.StoreRefusedException;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.stores.kubernetes.rest.Answer;
import dev.doyen.stores.kubernetes.rest.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The account's rights on the Leases of its namespace, as the API server reports them.
 *
 * <p>The store asks for all rights once when it is opened (SelfSubjectRulesReview). Every account may create this
 * review. The store does not repeat this review.
 *
 * @param complete false if the server has authorizers that cannot list the rights that they grant. In this case the
 *     account possibly has more rights than {@code rules} contains
 * @param rules the rules that grant rights on Leases of the namespace
 */
record AccountRights(KubernetesApi api, boolean complete, List<Rule> rules) {

    /**
     * A rule of a Role.
     *
     * @param names the names of the Leases to which the rule applies; empty if it applies to every Lease
     */
    record Rule(List<String> verbs, List<String> names) {

        boolean grants(String verb) {
            return covers(verbs, verb);
        }

        boolean appliesTo(String name) {
            return names.isEmpty() || names.contains(name);
        }
    }

    /** The verbs that a candidate's Role must grant. */
    static final List<String> NEEDED = List.of("create", "list", "update", "watch");

    static AccountRights of(KubernetesApi api) {
        Answer answer = await(api, api.whatMayI());
        if (!answer.is(201)) {
            throw answer.refusal(
                    "create", "selfsubjectrulesreviews", api.cluster().namespace());
        }
        JsonObject status = answer.json().at("status");
        List<Rule> rules = status.objects("resourceRules").stream()
                .filter(rule -> covers(rule.texts("apiGroups"), "coordination.k8s.io")
                        && covers(rule.texts("resources"), "leases"))
                .map(rule -> new Rule(rule.texts("verbs"), rule.texts("resourceNames")))
                .toList();
        return new AccountRights(api, !status.flag("incomplete"), rules);
    }

    /**
     * Returns true if the account certainly may use none of the {@link #NEEDED} verbs on Leases.
     *
     * <p>This is the case, for example, if the account's RoleBinding does not exist yet. The result is false if
     * {@code complete} is false.
     */
    boolean none() {
        return complete && NEEDED.stream().noneMatch(this::grants);
    }

    boolean watches() {
        return !complete || grants("watch");
    }

    /** Returns one sentence for each missing verb. The result is empty if {@code complete} is false. */
    List<String> remarks() {
        List<String> remarks = new ArrayList<>();
        for (String verb : NEEDED) {
            if (complete && !grants(verb)) {
                remarks.add("the account may not \"" + verb + "\" " + KubernetesApi.LEASES + " in namespace "
                        + api.cluster().namespace() + ": " + consequence(verb));
            }
        }
        return remarks;
    }

    static String consequence(String verb) {
        return switch (verb) {
            case "create" -> "another account must create a Lease that does not exist yet";
            case "update" -> "it can neither renew a lease nor take one over";
            case "watch" -> "changes are found by polling";
            default -> "it cannot read who leads";
        };
    }

    /**
     * Returns true if the account may watch this Lease. The method sends no request.
     *
     * <p>Also returns true if {@code complete} is false. If the right is missing, the server later rejects the watch.
     */
    boolean mayWatch(String name) {
        return !complete || grants("watch", name);
    }

    /** Returns true if the account certainly may update this Lease. The method sends no request. */
    boolean mayUpdate(String name) {
        return complete && grants("update", name);
    }

    /**
     * Asks the server whether the account may use this verb (SelfSubjectAccessReview). The method waits for the answer.
     *
     * @param name the object's name; empty for every object of the resource
     */
    static boolean may(KubernetesApi api, String verb, String group, String resource, String name) {
        JsonObject attributes = JsonObject.EMPTY
                .with("namespace", api.cluster().namespace())
                .with("verb", verb)
                .with("group", group)
                .with("resource", resource);
        Answer answer = await(api, api.mayI(name.isEmpty() ? attributes : attributes.with("name", name)));
        if (!answer.is(201)) {
            throw answer.refusal(
                    "create", "selfsubjectaccessreviews", api.cluster().namespace());
        }
        return answer.json().at("status").flag("allowed");
    }

    private boolean grants(String verb, String name) {
        return rules.stream().anyMatch(rule -> rule.grants(verb) && rule.appliesTo(name));
    }

    private boolean grants(String verb) {
        return rules.stream().anyMatch(rule -> rule.grants(verb));
    }

    private static boolean covers(List<String> named, String required) {
        return named.contains("*") || named.contains(required);
    }

    /**
     * Waits for an answer, at most for the timeout of a review.
     *
     * @throws StoreUnavailableException if no answer arrives
     */
    static <T> T await(KubernetesApi api, CompletableFuture<T> answer) {
        try {
            return answer.get(KubernetesApi.REVIEWED_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            if (cause instanceof StoreRefusedException refused) {
                throw refused;
            }
            throw new StoreUnavailableException(
                    api.cluster().place() + " cannot be used: "
                            + cause.getClass().getSimpleName() + ": " + cause.getMessage(),
                    e);
        } catch (TimeoutException e) {
            throw new StoreUnavailableException(api.cluster().place() + " does not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("interrupted while waiting for the answer", e);
        }
    }
}
