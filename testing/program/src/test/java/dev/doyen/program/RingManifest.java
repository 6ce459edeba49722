package dev.doyen.program;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the manifest in examples/ring-on-kubernetes. */
final class RingManifest {

    private RingManifest() {}

    /** Returns the objects of the manifest, in the order of the file. The key of an object is its kind. */
    static Map<String, JsonNode> parts() {
        var path = Path.of("..", "..", "examples", "ring-on-kubernetes", "ring.yaml");
        var parts = new LinkedHashMap<String, JsonNode>();
        try (var documents =
                new ObjectMapper(new YAMLFactory()).readerFor(JsonNode.class).readValues(path.toFile())) {
            while (documents.hasNext()) {
                var part = (JsonNode) documents.next();
                parts.put(part.path("kind").asText(), part);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return parts;
    }

    /** Returns the object that creates the pods. */
    static JsonNode maker() {
        return parts().get("Deployment");
    }

    static JsonNode pod() {
        return maker().at("/spec/template");
    }

    /** Returns the arguments of the container. */
    static List<String> arguments() {
        var arguments = new ArrayList<String>();
        pod().at("/spec/containers/0/args").forEach(each -> arguments.add(each.asText()));
        return arguments;
    }
}
