package dev.doyen.injector;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.Set;

/**
 * Adds the elector to a pod that asks for it.
 *
 * <p>Injection is idempotent. The API server calls the webhook again after other webhooks have changed the pod.
 *
 * <p>If others changed our container, for example its image, the change stays. Application containers that others added
 * later still get the variables. If a container named {@code elector} of another origin exists, such as naiserator's,
 * the pod is left unchanged.
 */
public final class Injection {

    private final InjectionSettings settings;

    public Injection(InjectionSettings settings) {
        this.settings = settings;
    }

    /**
     * Returns the pod with its elector.
     *
     * <p>The result equals the given pod if there is nothing to do.
     *
     * @param namespace where the pod is to be created; its metadata may lack it
     * @throws InjectionRefusedException if an annotation is invalid, or the elector cannot run in this pod
     */
    public JsonNode inject(JsonNode pod, String namespace) throws InjectionRefusedException {
        if (!pod.at("/metadata/labels").path(Marks.INJECT).asText().equals("true")) {
            return pod;
        }
        boolean ours =
                pod.at("/metadata/annotations").path(Marks.STATUS).asText().equals(Marks.INJECTED);
        boolean there = has(pod.at("/spec/initContainers")) || has(pod.at("/spec/containers"));
        if (there && !ours) {
            return pod;
        }
        var options = PodOptions.read(pod.at("/metadata/annotations"));
        ObjectNode patched = pod.deepCopy();
        if (!there) {
            refuseImpossible(pod, options);
            addElector(patched, namespace, options);
        }
        tellApplications(patched.withArray("/spec/containers"), options.port());
        return patched;
    }

    private static boolean has(JsonNode containers) {
        for (var container : containers) {
            if (container.path("name").asText().equals(Marks.CONTAINER)) {
                return true;
            }
        }
        return false;
    }

    private void addElector(ObjectNode pod, String namespace, PodOptions options) throws InjectionRefusedException {
        var election = options.election().isPresent() ? options.election().get() : Workload.name(pod);
        var container = ElectorContainer.describe(election, namespace, options, settings);
        if (settings.kind() == SidecarKind.NATIVE) {
            // First, because init containers start in order, and a later one may already need the elector.
            pod.withArray("/spec/initContainers").insert(0, container);
        } else {
            // Last, because kubectl logs and exec use the first container by default.
            pod.withArray("/spec/containers").add(container);
        }
        var annotations = pod.withObject("/metadata/annotations");
        annotations.put(Marks.ELECTION, election);
        annotations.put(Marks.STATUS, Marks.INJECTED);
    }

    /**
     * Adds the variables that a container does not set itself.
     *
     * <p>They come first, so that the container's own variables may refer to them.
     */
    private static void tellApplications(ArrayNode containers, int port) {
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
                    + " may be another elector's; choose ports that are free on all machines by annotations "
                    + Marks.option("port") + " and " + Marks.option("probe-port"));
        }
        if (settings.kind() == SidecarKind.PLAIN
                && !pod.at("/spec/restartPolicy").asText("Always").equals("Always")) {
            throw new InjectionRefusedException("the pod has restartPolicy "
                    + pod.at("/spec/restartPolicy").asText()
                    + ", and would never end beside a plain container; that needs Kubernetes 1.29 or newer."
                    + " Take the label " + Marks.INJECT + " away, and use doyen run instead");
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
