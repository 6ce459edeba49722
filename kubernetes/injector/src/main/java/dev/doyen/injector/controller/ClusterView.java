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
 * The last known pods, Leases and RoleBindings. The view computes the changes that these objects require.
 *
 * <p>The view contains the pods with the label {@code Marks.INJECT}, the Leases in the namespaces of these pods, and
 * the known RoleBindings of service accounts.
 *
 * <p>The leader's label follows {@code holderIdentity} of the Lease, which is the name of the leader's pod. This class
 * does not check whether the Lease has expired. The label stays on the pod until the Lease has another holder or no
 * holder, until the pod has finished, or until the pod no longer accepts the label.
 *
 * <p>Threads: one. A list of pods or RoleBindings replaces all known objects of its kind. A list of Leases replaces the
 * known Leases of its namespace. After the list, a watch delivers single changes of the pods or of the Leases. No watch
 * exists for RoleBindings.
 */
public final class ClusterView {

    private static final String DELETED = "DELETED";

    private final Map<String, InjectedPod> pods = new TreeMap<>();
    private final Map<String, Map<String, String>> holders = new HashMap<>();
    private final Set<String> bindings = new HashSet<>();

    /** Replaces the known pods with {@code items}, which come from all namespaces. */
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

    /** Replaces the known Leases of {@code namespace} with {@code items}. */
    public void leasesAre(String namespace, Iterable<JsonNode> items) {
        holders.put(namespace, new HashMap<>());
        items.forEach(item -> leaseChanged(namespace, "ADDED", item));
    }

    /** Forgets the Leases of {@code namespace}, because no watch follows them any more. */
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

    /** Replaces the known RoleBindings with {@code items}, which are all RoleBindings with the injector's label. */
    public void bindingsAre(Iterable<JsonNode> items) {
        bindings.clear();
        for (var item : items) {
            bindings.add(key(
                    item.at("/metadata/namespace").asText(),
                    item.at("/metadata/name").asText()));
        }
    }

    /** Records that this account's RoleBinding exists. The injector or another program has created this RoleBinding. */
    public void bound(Account account) {
        bindings.add(key(account.namespace(), account.bindingName()));
    }

    /** Returns the namespaces that contain pods with the label. */
    public Set<String> namespaces() {
        var namespaces = new TreeSet<String>();
        pods.values().forEach(pod -> namespaces.add(pod.namespace()));
        return namespaces;
    }

    /** Returns the accounts that have no RoleBinding, but have a pod that has not finished. */
    public List<Account> unbound() {
        return pods.values().stream()
                .filter(pod -> !pod.finished())
                .map(InjectedPod::account)
                .distinct()
                .filter(account -> !bindings.contains(key(account.namespace(), account.bindingName())))
                .toList();
    }

    /**
     * Returns one {@link LeaderMove} for each election whose pods have wrong leader labels.
     *
     * <p>The result contains no elections in namespaces whose Leases are unknown. The Leases of a namespace are unknown
     * before they are read, and after {@link #leasesUnknown}.
     */
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
                boolean deserves = pod.name().equals(holder) && pod.acceptsLabel() && !pod.finished();
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
