package dev.doyen.injector;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;

/** Converts YAML files to JSON trees and back. */
public final class Yamls {

    private static final ObjectMapper JSON = new ObjectMapper();

    private Yamls() {}

    public static List<JsonNode> read(Path file) throws IOException {
        return parse(Files.readString(file));
    }

    public static List<JsonNode> parse(String text) {
        var documents = new ArrayList<JsonNode>();
        for (var document : new Yaml().loadAll(text)) {
            if (document != null) {
                documents.add(JSON.valueToTree(document));
            }
        }
        return documents;
    }

    public static String text(JsonNode tree) {
        var options = new DumperOptions();
        options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
        options.setIndicatorIndent(0);
        options.setWidth(120);
        return new Yaml(options).dump(JSON.convertValue(tree, Object.class));
    }
}
