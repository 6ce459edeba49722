package dev.doyen.server.cli;

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

/** A file of examples/ring-on-kubernetes: its objects, by their kind. */
enum RingManifest {
    RING("ring.yaml", "Deployment"),
    VOTERS("voters.yaml", "StatefulSet");

    private final String file;
    private final String pods;

    RingManifest(String file, String pods) {
        this.file = file;
        this.pods = pods;
    }

    /** In the order of the file. */
    Map<String, JsonNode> parts() {
        var path = Path.of("..", "examples", "ring-on-kubernetes", file);
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

    /** What makes the pods. */
    JsonNode maker() {
        return parts().get(pods);
    }

    JsonNode pod() {
        return maker().at("/spec/template");
    }

    /** What the manifest says to the image's program. */
    List<String> arguments() {
        var arguments = new ArrayList<String>();
        pod().at("/spec/containers/0/args").forEach(each -> arguments.add(each.asText()));
        return arguments;
    }
}
