package dev.doyen.hub.server.settings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.doyen.hub.auth.Capability;
import dev.doyen.hub.auth.HubKey;
import dev.doyen.hub.wire.Refusal;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads keys and URLs, whose secrets can be in the environment. No error message contains a secret. */
final class Secrets {

    private static final Pattern REFERENCE = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)}");

    private final Map<String, String> environment;

    Secrets(Map<String, String> environment) {
        this.environment = environment;
    }

    HubKey key(Entry entry) throws SettingsException {
        var fields = entry.fields(Set.of("key", "capability"));
        var text = fields.get("key");
        if (text == null) {
            throw entry.refusal("has no key; write key: appId.keyId:secret; the secret may be ${NAME}");
        }
        String spelled = resolved(text, text.text("a key, written appId.keyId:secret"));
        HubKey key = text.checked(() -> HubKey.of(spelled));
        return fields.containsKey("capability") ? key.with(capability(fields.get("capability"))) : key;
    }

    /** Returns a text in which environment variables replace each ${NAME}. */
    String text(Entry entry, String expected) throws SettingsException {
        return resolved(entry, entry.text(expected));
    }

    private String resolved(Entry entry, String text) throws SettingsException {
        Matcher matcher = REFERENCE.matcher(text);
        var resolved = new StringBuilder();
        while (matcher.find()) {
            String value = environment.getOrDefault(matcher.group(1), "");
            if (value.isEmpty()) {
                throw entry.refusal("needs " + matcher.group(1) + " of the environment, which is not set; set it");
            }
            matcher.appendReplacement(resolved, Matcher.quoteReplacement(value));
        }
        matcher.appendTail(resolved);
        return resolved.toString();
    }

    static Capability capability(Entry entry) throws SettingsException {
        try {
            return Capability.of(tree(entry));
        } catch (Refusal refusal) {
            throw entry.refusal(": " + refusal.error().message());
        }
    }

    private static JsonNode tree(Entry entry) throws SettingsException {
        var tree = JsonNodeFactory.instance.objectNode();
        for (var resource : entry.map("an object of channels with their operations, like {\"orders:*\": [subscribe]}")
                .entrySet()) {
            ArrayNode operations = tree.putArray(resource.getKey());
            for (Entry operation : resource.getValue().list("a list of operations, like [subscribe, lead]")) {
                operations.add(operation.text("an operation, like subscribe or lead"));
            }
        }
        return tree;
    }
}
