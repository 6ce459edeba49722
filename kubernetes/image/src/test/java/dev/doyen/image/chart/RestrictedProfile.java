package dev.doyen.image.chart;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Checks a pod against the profile "restricted" of the Pod Security Standards.
 *
 * <p>The available API server has version 1.20, which does not contain the admission plugin PodSecurity. The rules here
 * are rules of the plugin (https://kubernetes.io/docs/concepts/security/pod-security-standards/) for pods on Linux. The
 * class does not check init containers, sysctls, and the options of SELinux and AppArmor.
 */
final class RestrictedProfile {

    private static final Set<String> VOLUMES = Set.of(
            "configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "persistentVolumeClaim", "projected", "secret");

    private RestrictedProfile() {}

    /** Returns the names of the fields with forbidden values. The result is empty if the pod is admitted. */
    static List<String> violations(JsonNode pod) {
        List<String> found = new ArrayList<>();
        for (var name : List.of("hostNetwork", "hostPID", "hostIPC")) {
            forbid(found, pod.path(name).asBoolean(), name);
        }
        for (var volume : pod.path("volumes")) {
            volume.fieldNames()
                    .forEachRemaining(field ->
                            forbid(found, !field.equals("name") && !VOLUMES.contains(field), "volumes." + field));
        }
        var all = pod.path("securityContext");
        for (var container : pod.path("containers")) {
            var own = container.path("securityContext");
            for (var port : container.path("ports")) {
                forbid(found, port.path("hostPort").asInt() != 0, "hostPort");
            }
            forbid(found, own.path("privileged").asBoolean(), "privileged");
            forbid(found, own.path("allowPrivilegeEscalation").asBoolean(true), "allowPrivilegeEscalation");
            forbid(found, !own.at("/capabilities/drop").toString().contains("\"ALL\""), "capabilities.drop");
            for (var added : own.at("/capabilities/add")) {
                forbid(found, !added.asText().equals("NET_BIND_SERVICE"), "capabilities.add");
            }
            forbid(found, !of(own, all, "runAsNonRoot").asBoolean(), "runAsNonRoot");
            forbid(found, of(own, all, "runAsUser").asInt(-1) == 0, "runAsUser");
            forbid(
                    found,
                    !Set.of("RuntimeDefault", "Localhost")
                            .contains(
                                    of(own, all, "seccompProfile").path("type").asText()),
                    "seccompProfile.type");
        }
        return found;
    }

    private static JsonNode of(JsonNode own, JsonNode all, String field) {
        return own.has(field) ? own.path(field) : all.path(field);
    }

    private static void forbid(List<String> found, boolean isForbidden, String field) {
        if (isForbidden) {
            found.add(field);
        }
    }
}
