package dev.doyen.injector;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Describes the elector's container, and the variables that contain the elector's address.
 *
 * <p>The variables are added to the containers of the application. Most fields of the elector's container are the same
 * as in NAIS's naiserator, so that users of naiserator need no change. These fields differ:
 *
 * <ul>
 * <li>The startup probe runs each second for a minute. The usual period of ten seconds would delay each pod by ten
 *     seconds. With the usual limit of three failures, the kubelet would kill the elector if the API server is slow.
 * <li>The pod's name, uid and namespace come from the downward API. The elector therefore needs no right to read pods.
 * <li>The variable {@code ELECTOR_ADMIN_COMMANDS} permits admin commands from the pod.
 * <li>More variables configure how the elector observes the application, see {@link AppObservation}.
 * </ul>
 *
 * <p>The security context satisfies the profile "restricted" of the Pod Security Standards.
 */
final class ElectorContainer {

    private static final int USER = 1069;
    private static final int PROBE_PERIOD_SECONDS = 1;
    private static final int PROBE_FAILURES = 60;

    private ElectorContainer() {}

    /**
     * The failed probes after which a ready pod is no longer ready. A short fault of the elector must not take the app
     * out of its Services.
     */
    private static final int READINESS_FAILURES = 15;

    private static final int READINESS_PERIOD_SECONDS = 2;

    /**
     * Describes the container.
     *
     * @param generation the generation of the elector's candidate; 0 if it has none
     * @param observation the variables that configure how the elector observes the application
     */
    static ObjectNode describe(
            String election,
            String namespace,
            PodOptions options,
            InjectionSettings settings,
            long generation,
            Map<String, String> observation) {
        var container = object();
        container.put("name", Marks.CONTAINER);
        container.put("image", options.image().orElse(settings.image()));
        container.put("imagePullPolicy", "IfNotPresent");
        var arguments = container
                .putArray("args")
                .add("--election=" + election)
                .add("--election-namespace=" + namespace)
                .add("--http=localhost:" + options.port())
                .add("--probe-address=0.0.0.0:" + options.probePort());
        if (options.nonExpiring()) {
            arguments.add("--mode=non_expiring");
        }
        var environment = container.putArray("env");
        environment.addObject().put("name", "ELECTOR_LOG_FORMAT").put("value", "json");
        // The containers of a pod trust each other, so the app can send commands such as "resign" without a key. This
        // and the later settings are environment variables, because the image of another elector would ignore an
        // unknown variable, but would not start with an unknown argument.
        environment.addObject().put("name", "ELECTOR_ADMIN_COMMANDS").put("value", "loopback");
        environment.add(fromPod("POD_NAME", "metadata.name"));
        environment.add(fromPod("POD_UID", "metadata.uid"));
        environment.add(fromPod("POD_NAMESPACE", "metadata.namespace"));
        if (generation > 0) {
            environment.addObject().put("name", "ELECTOR_GENERATION").put("value", Long.toString(generation));
        }
        // Kubernetes replaces $(NAME) in the value of a variable, and $$ by $.
        observation.forEach((variable, value) ->
                environment.addObject().put("name", variable).put("value", value.replace("$", "$$")));
        container
                .putArray("ports")
                .addObject()
                .put("containerPort", options.port())
                .put("protocol", "TCP");
        container.set("resources", resources(options));
        container.set("securityContext", securityContext());
        container.set("startupProbe", startupProbe(options.probePort()));
        if (generation > 0) {
            // Kubernetes ends an old pod as soon as this pod is ready. Before, the elector asks an older leader to hand
            // over (rule M8).
            container.set("readinessProbe", readinessProbe(options.probePort()));
        }
        if (settings.kind() == SidecarKind.NATIVE) {
            container.put("restartPolicy", "Always");
        }
        return container;
    }

    /** Returns the variables that are added to the environment of an application, in this order. */
    static Map<String, String> applicationEnvironment(int port) {
        var variables = new LinkedHashMap<String, String>();
        variables.put("ELECTOR_PATH", "localhost:" + port);
        variables.put("ELECTOR_GET_URL", "http://localhost:" + port + "/");
        variables.put("ELECTOR_SSE_URL", "http://localhost:" + port + "/sse");
        return variables;
    }

    private static ObjectNode fromPod(String variable, String field) {
        var entry = object().put("name", variable);
        entry.putObject("valueFrom")
                .putObject("fieldRef")
                .put("apiVersion", "v1")
                .put("fieldPath", field);
        return entry;
    }

    private static ObjectNode resources(PodOptions options) {
        var resources = object();
        for (var resource : PodOptions.Resource.values()) {
            var quantity = options.resources().get(resource);
            if (quantity != null) {
                resources.withObject("/" + resource.group).put(resource.what, quantity);
            }
        }
        return resources;
    }

    private static ObjectNode securityContext() {
        var context = object();
        context.put("allowPrivilegeEscalation", false);
        context.putObject("capabilities").putArray("drop").add("ALL");
        context.put("privileged", false);
        context.put("readOnlyRootFilesystem", true);
        context.put("runAsGroup", USER);
        context.put("runAsNonRoot", true);
        context.put("runAsUser", USER);
        context.putObject("seccompProfile").put("type", "RuntimeDefault");
        return context;
    }

    private static ObjectNode startupProbe(int port) {
        return probe("/healthz", port)
                .put("periodSeconds", PROBE_PERIOD_SECONDS)
                .put("failureThreshold", PROBE_FAILURES);
    }

    private static ObjectNode readinessProbe(int port) {
        return probe("/readyz", port)
                .put("periodSeconds", READINESS_PERIOD_SECONDS)
                .put("failureThreshold", READINESS_FAILURES);
    }

    private static ObjectNode probe(String path, int port) {
        var probe = object();
        probe.putObject("httpGet").put("path", path).put("port", port).put("scheme", "HTTP");
        return probe;
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }
}
