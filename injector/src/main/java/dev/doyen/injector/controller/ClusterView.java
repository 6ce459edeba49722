package dev.doyen.injector.controller;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What was last heard of pods with the label, of Leases in their namespaces and of RoleBindings; and what follows from it.
 *
 * <p>The label follows the Lease's {@code holderIdentity}, which is the name of the leader's pod. Whether that leader still
 * lives is for the electors to decide: as long as nobody took the Lease over, the label stays.
 *
 * <p>Threads: one. Lists replace what was known; changes come one by one as a watch brings them.
 */
public final class ClusterView {

    private static final String DELETED = "DELETED";

    private final Map<String, InjectedPod> pods = new TreeMap<>();
    private final Map<String, Map<String, String>> holders = new HashMap<>();
    private final Set<String> bindings = new HashSet<>();

    /** All pods with the label, in all namespaces. */
    public void podsAre(Iterable<JsonNode> items) {
        pods.clear();
        items.forEach(item -> podChanged("ADDED", item));
        holders.keySet().retainAll(namespaces());
    }

    public void podChanged(String change, JsonNode item) {
        var pod = InjectedPod.of(item);
        if (change.equals(DELETED)) {
            pods.remove(key(pod.namespace(), pod.name()));
        } else {
            pods.put(key(pod.namespace(), pod.name()), pod);
        }
    }

    /** All Leases of a namespace. */
    public void leasesAre(String namespace, Iterable<JsonNode> items) {
        holders.put(namespace, new HashMap<>());
        items.forEach(item -> leaseChanged(namespace, "ADDED", item));
    }

    /** Nobody tells of them any more. */
    public void leasesUnknown(String namespace) {
        holders.remove(namespace);
    }

    public void leaseChanged(String namespace, String change, JsonNode lease) {
        var known = holders.get(namespace);
        if (known != null) {
            var holder = change.equals(DELETED)
                    ? ""
                    : lease.at("/spec/holderIdentity").asText();
            known.put(lease.at("/metadata/name").asText(), holder);
        }
    }

    /** All RoleBindings that carry our label. */
    public void bindingsAre(Iterable<JsonNode> items) {
        bindings.clear();
        for (var item : items) {
            bindings.add(key(
                    item.at("/metadata/namespace").asText(),
                    item.at("/metadata/name").asText()));
        }
    }

    /** This account's binding was made, or somebody else's of that name was there. */
    public void bound(Account account) {
        bindings.add(key(account.namespace(), account.bindingName()));
    }

    /** The namespaces whose Leases matter. */
    public Set<String> namespaces() {
        var namespaces = new TreeSet<String>();
        pods.values().forEach(pod -> namespaces.add(pod.namespace()));
        return namespaces;
    }

    /** Accounts whose pods cannot elect yet. */
    public List<Account> unbound() {
        return pods.values().stream()
                .filter(pod -> !pod.finished())
                .map(InjectedPod::account)
                .distinct()
                .filter(account -> !bindings.contains(key(account.namespace(), account.bindingName())))
                .toList();
    }

    /** Labels that are not where they belong, one move for each election. Says nothing of Leases it has not seen. */
    public List<LeaderMove> moves() {
        var moves = new ArrayList<LeaderMove>();
        elections().forEach((election, candidates) -> {
            var first = candidates.get(0);
            var known = holders.get(first.namespace());
            if (known == null) {
                return;
            }
            var name = first.election().orElseThrow();
            var holder = known.getOrDefault(name, "");
            var clear = new ArrayList<String>();
            Optional<String> label = Optional.empty();
            for (var pod : candidates) {
                boolean deserves = pod.name().equals(holder) && pod.wantsLabel() && !pod.finished();
                if (pod.labelled() && !deserves) {
                    clear.add(pod.name());
                } else if (deserves && !pod.labelled()) {
                    label = Optional.of(pod.name());
                }
            }
            if (!clear.isEmpty() || label.isPresent()) {
                moves.add(new LeaderMove(first.namespace(), name, clear, label));
            }
        });
        return moves;
    }

    private Map<String, List<InjectedPod>> elections() {
        var elections = new TreeMap<String, List<InjectedPod>>();
        for (var pod : pods.values()) {
            pod.election()
                    .ifPresent(election -> elections
                            .computeIfAbsent(key(pod.namespace(), election), unseen -> new ArrayList<>())
                            .add(pod));
        }
        return elections;
    }

    private static String key(String namespace, String name) {
        return namespace + "/" + name;
    }
}
