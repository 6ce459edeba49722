package dev.doyen.injector;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Adds the elector to a pod whose label requests it.
 *
 * <p>Injection is idempotent. The API server calls the webhook again after other webhooks have changed the pod.
 *
 * <p>If another webhook has changed the elector's container, for example its image, the injection does not revert the
 * change. Application containers that another webhook has added later also get the variables. If another program, such
 * as naiserator, has already added a container with the name {@code elector}, the injection does not change the pod.
 */
public final class Injection {

    /**
     * The maximum number of application containers. Each container gets variables, so a small request with very many
     * containers would need more memory than the injector's heap.
     */
    private static final int MAX_CONTAINERS = 500;

    private final InjectionSettings settings;

    public Injection(InjectionSettings settings) {
        this.settings = settings;
    }

    /**
     * Returns the name of the ReplicaSet whose revision is the generation of the pod's elector (rule M8).
     *
     * <p>The result is empty if the injection needs no revision.
     *
     * @throws InjectionRefusedException if the label or an annotation is invalid
     */
    public Optional<String> replicaSet(JsonNode pod) throws InjectionRefusedException {
        if (!requestsElector(pod) || has(pod.at("/spec/initContainers")) || has(pod.at("/spec/containers"))) {
            return Optional.empty();
        }
        var options = PodOptions.read(pod.at("/metadata/annotations"));
        return options.generation().isPresent() || options.nonExpiring() ? Optional.empty() : Workload.replicaSet(pod);
    }

    /**
     * Returns the pod with its elector.
     *
     * <p>The result equals the given pod if no change is necessary.
     *
     * @param namespace the namespace in which the API server will create the pod. The pod's own metadata does not
     *     always contain it
     * @param revision the revision of {@link #replicaSet}
     * @throws InjectionRefusedException if the label or an annotation is invalid, or the elector cannot run in this pod
     */
    public JsonNode inject(JsonNode pod, String namespace, Revision revision) throws InjectionRefusedException {
        if (!requestsElector(pod)) {
            return pod;
        }
        boolean ours =
                pod.at("/metadata/annotations").path(Marks.STATUS).asText().equals(Marks.INJECTED);
        boolean there = has(pod.at("/spec/initContainers")) || has(pod.at("/spec/containers"));
        if (there && !ours) {
            return pod;
        }
        int containers = pod.at("/spec/containers").size();
        if (containers > MAX_CONTAINERS) {
            throw new InjectionRefusedException(
                    "the pod has " + containers + " containers; an elector can be added to at" + " most "
                            + MAX_CONTAINERS + ". Remove containers, or the label " + Marks.INJECT);
        }
        var options = PodOptions.read(pod.at("/metadata/annotations"));
        ObjectNode patched = pod.deepCopy();
        if (!there) {
            refuseImpossible(pod, options);
            addElector(patched, namespace, options, revision);
        }
        addVariables(patched.withArray("/spec/containers"), options.port());
        return patched;
    }

    /** Returns the warnings about an injected pod, such as a probe that the elector cannot run. */
    public static List<String> warnings(JsonNode injected) {
        return injected.at("/metadata/annotations")
                .path(Marks.WARNING)
                .asText()
                .lines()
                .toList();
    }

    /**
     * Returns true if the label of the pod requests an elector. The method rejects other values than true and false,
     * because the pod would otherwise start without an elector.
     */
    private static boolean requestsElector(JsonNode pod) throws InjectionRefusedException {
        var value = pod.at("/metadata/labels").path(Marks.INJECT).asText("false");
        if (!value.equals("true") && !value.equals("false")) {
            throw new InjectionRefusedException("label " + Marks.INJECT + " is \"" + value
                    + "\"; it must be \"true\" or \"false\", or be left out");
        }
        return value.equals("true");
    }

    private static boolean has(JsonNode containers) {
        for (var container : containers) {
            if (container.path("name").asText().equals(Marks.CONTAINER)) {
                return true;
            }
        }
        return false;
    }

    private void addElector(ObjectNode pod, String namespace, PodOptions options, Revision revision)
            throws InjectionRefusedException {
        var election = options.election().isPresent() ? options.election().get() : Workload.name(pod);
        var observation = AppObservation.of(pod, options, settings.kind());
        long generation = options.generation().orElse(revision.number());
        var container =
                ElectorContainer.describe(election, namespace, options, settings, generation, observation.variables());
        if (settings.kind() == SidecarKind.NATIVE) {
            // The elector is the first init container, because init containers start in order and a later container
            // perhaps needs the elector.
            pod.withArray("/spec/initContainers").insert(0, container);
        } else {
            // The elector is the last container, because kubectl logs and exec use the first container by default.
            pod.withArray("/spec/containers").add(container);
        }
        var annotations = pod.withObject("/metadata/annotations");
        annotations.put(Marks.ELECTION, election);
        annotations.put(Marks.STATUS, Marks.INJECTED);
        var warnings = new ArrayList<>(observation.warnings());
        revision.warning().ifPresent(warnings::add);
        if (!warnings.isEmpty()) {
            annotations.put(Marks.WARNING, String.join("\n", warnings));
        }
    }

    /**
     * Adds the variables that an application container does not set itself.
     *
     * <p>The variables come first, so that the container's own variables can refer to them.
     */
    private static void addVariables(ArrayNode containers, int port) {
        for (var container : containers) {
            if (container.path("name").asText().equals(Marks.CONTAINER)) {
                continue;
            }
            var environment = ((ObjectNode) container).withArray("/env");
            var known = names(environment);
            int position = 0;
            for (var variable : ElectorContainer.applicationEnvironment(port).entrySet()) {
                if (!known.contains(variable.getKey())) {
                    environment
                            .insertObject(position++)
                            .put("name", variable.getKey())
                            .put("value", variable.getValue());
                }
            }
        }
    }

    private static Set<String> names(ArrayNode entries) {
        var names = new HashSet<String>();
        entries.forEach(entry -> names.add(entry.path("name").asText()));
        return names;
    }

    private void refuseImpossible(JsonNode pod, PodOptions options) throws InjectionRefusedException {
        if (pod.at("/spec/hostNetwork").asBoolean() && !options.portsChosen()) {
            throw new InjectionRefusedException("the pod uses its machine's network (hostNetwork), where ports "
                    + options.port() + " and " + options.probePort()
                    + " may belong to another elector; choose ports that are free on all machines by annotations "
                    + Marks.option("port") + " and " + Marks.option("probe-port"));
        }
        if (settings.kind() == SidecarKind.PLAIN
                && !pod.at("/spec/restartPolicy").asText("Always").equals("Always")) {
            throw new InjectionRefusedException("the pod has restartPolicy "
                    + pod.at("/spec/restartPolicy").asText()
                    + ", and would never complete beside a plain container; this needs Kubernetes 1.29 or newer."
                    + " Remove the label " + Marks.INJECT + ", and use doyen run instead");
        }
        refuseTakenPorts(pod.at("/spec/containers"), options);
        refuseTakenPorts(pod.at("/spec/initContainers"), options);
    }

    private static void refuseTakenPorts(JsonNode containers, PodOptions options) throws InjectionRefusedException {
        for (var container : containers) {
            for (var taken : container.path("ports")) {
                int port = taken.path("containerPort").asInt();
                if (port == options.port() || port == options.probePort()) {
                    throw new InjectionRefusedException(
                            "container " + container.path("name").asText() + " uses port "
                                    + port + ", which the elector needs; give it another, or the elector by annotation "
                                    + Marks.option(port == options.port() ? "port" : "probe-port"));
                }
            }
        }
    }
}
