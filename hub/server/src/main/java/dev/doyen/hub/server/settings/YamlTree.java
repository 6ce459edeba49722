package dev.doyen.hub.server.settings;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Parses YAML, and therefore JSON, into a tree with line numbers.
 *
 * <p>The parser rejects anchors, aliases and tags, because settings require none.
 */
final class YamlTree {

    private static final int MAX_DEPTH = 8;
    private static final YAMLFactory YAML = new YAMLFactory();

    private final String file;
    private final YAMLParser parser;

    private YamlTree(String file, YAMLParser parser) {
        this.file = file;
        this.parser = parser;
    }

    /** Parses a whole document. An empty document is an empty object. */
    static Entry read(String file, String text) throws SettingsException {
        try (YAMLParser parser = YAML.createParser(text)) {
            var tree = new YamlTree(file, parser);
            if (parser.nextToken() == null) {
                return new Entry(file, "", 1, new LinkedHashMap<String, Entry>());
            }
            Entry root = tree.value("", MAX_DEPTH);
            if (parser.nextToken() != null) {
                throw tree.refusal("begins a second document; a settings file has only one");
            }
            return root;
        } catch (JsonProcessingException e) {
            var at = e.getLocation();
            // The parser's message quotes the line, which can contain a secret.
            throw new SettingsException(file + ":" + (at == null ? 1 : Math.max(1, at.getLineNr()))
                    + ": this is not YAML; check brackets, quotes and indentation");
        } catch (IOException e) {
            throw new SettingsException(file + ": cannot be read (" + e.getMessage() + ")");
        }
    }

    private Entry value(String path, int depthLeft) throws IOException, SettingsException {
        if (depthLeft == 0) {
            throw refusal("is nested deeper than " + MAX_DEPTH + " levels; no setting is");
        }
        if (parser.isCurrentAlias() || parser.getObjectId() != null || parser.getTypeId() != null) {
            throw refusal("has an anchor, alias or tag of YAML; write the value itself");
        }
        int line = parser.currentTokenLocation().getLineNr();
        JsonToken token = parser.currentToken();
        return switch (token) {
            case START_OBJECT -> new Entry(file, path, line, fields(path, depthLeft));
            case START_ARRAY -> {
                var items = new ArrayList<Entry>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    items.add(value(path + "[" + (items.size() + 1) + "]", depthLeft - 1));
                }
                yield new Entry(file, path, line, items);
            }
            case VALUE_TRUE -> new Entry(file, path, line, true);
            case VALUE_FALSE -> new Entry(file, path, line, false);
            case VALUE_NUMBER_INT ->
                new Entry(
                        file,
                        path,
                        line,
                        parser.getNumberType() == YAMLParser.NumberType.BIG_INTEGER
                                ? parser.getText()
                                : Long.valueOf(parser.getLongValue()));
            case VALUE_NULL -> new Entry(file, path, line, Entry.NOTHING);
            default -> new Entry(file, path, line, parser.getText());
        };
    }

    private Map<String, Entry> fields(String path, int depthLeft) throws IOException, SettingsException {
        var fields = new LinkedHashMap<String, Entry>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            if (fields.containsKey(name)) {
                throw refusal("contains \"" + name + "\" twice; keep one");
            }
            parser.nextToken();
            fields.put(name, value(path.isEmpty() ? name : path + "." + name, depthLeft - 1));
        }
        return fields;
    }

    private SettingsException refusal(String sentence) {
        return new SettingsException(
                file + ":" + parser.currentTokenLocation().getLineNr() + ": this line " + sentence);
    }
}
