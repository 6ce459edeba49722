package dev.doyen.injector;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * The container of the application, whose probe and ports the elector uses.
 *
 * <p>This is the container in the annotation {@code kubectl.kubernetes.io/default-container}, or otherwise the first
 * container. Service meshes set this annotation if they add their container at the beginning.
 */
record AppContainer(JsonNode container) {

    private static final String DEFAULT_CONTAINER = "kubectl.kubernetes.io/default-container";
    private static final int MAX_PORT = 65535;

    /** Returns the container of the application in a pod that has no elector yet. */
    static AppContainer of(JsonNode pod) {
        var containers = pod.at("/spec/containers");
        var name = pod.at("/metadata/annotations").path(DEFAULT_CONTAINER).asText();
        for (var container : containers) {
            if (container.path("name").asText().equals(name)) {
                return new AppContainer(container);
            }
        }
        return new AppContainer(containers.path(0));
    }

    String name() {
        return container.path("name").asText();
    }

    Optional<AppProbe> livenessProbe() {
        return AppProbe.of(this, "livenessProbe");
    }

    Optional<AppProbe> readinessProbe() {
        return AppProbe.of(this, "readinessProbe");
    }

    /** Returns the number of a port. A probe contains the number, or the name of a port of its container. */
    OptionalInt port(JsonNode numberOrName) {
        for (var port : container.path("ports")) {
            if (numberOrName.isTextual() && port.path("name").asText().equals(numberOrName.asText())) {
                return OptionalInt.of(port.path("containerPort").asInt());
            }
        }
        int number = numberOrName.asInt();
        return number > 0 && number <= MAX_PORT ? OptionalInt.of(number) : OptionalInt.empty();
    }

    /**
     * Returns the port that the application closes when it ends, if the pod names one.
     *
     * <p>The port of a probe is better than a declared port, because the kubelet checks that the port is open.
     */
    OptionalInt lastingPort() {
        var probed = Stream.of(livenessProbe(), readinessProbe())
                .flatMap(Optional::stream)
                .map(AppProbe::localPort)
                .filter(OptionalInt::isPresent)
                .findFirst();
        if (probed.isPresent()) {
            return probed.get();
        }
        for (var port : container.path("ports")) {
            if (port.path("protocol").asText("TCP").equals("TCP")) {
                return port(port.path("containerPort"));
            }
        }
        return OptionalInt.empty();
    }
}
