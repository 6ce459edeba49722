package dev.doyen.hub.server.settings;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Reads the settings file of a command whose settings are its command-line options.
 *
 * <p>Each field has the name of an option. A list in the file is equivalent to an option value with commas.
 */
public final class FlagSettings {

    private static final long MAX_BYTES = 256 * 1024;

    private FlagSettings() {}

    /**
     * Returns the options in a file, with names and values as on the command line.
     *
     * @param known the allowed names
     * @throws SettingsException if the file cannot be read or is invalid; for a wrong value, the message contains the
     *     position
     */
    public static Map<String, String> read(Path file, Set<String> known) throws SettingsException {
        String text;
        try {
            long size = Files.size(file);
            if (size > MAX_BYTES) {
                throw new SettingsException(file + " has " + size + " bytes; at most " + MAX_BYTES + " are allowed");
            }
            text = Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new SettingsException(
                    file + " cannot be read (" + e.getClass().getSimpleName().replace("Exception", "") + ")");
        }
        var settings = new LinkedHashMap<String, String>();
        for (var field : YamlTree.read(String.valueOf(file.getFileName()), text)
                .fields(known)
                .entrySet()) {
            settings.put(field.getKey(), value(field.getValue()));
        }
        return settings;
    }

    private static String value(Entry entry) throws SettingsException {
        if (!entry.isList()) {
            return entry.text("a text or a number");
        }
        var items = new ArrayList<String>();
        for (Entry item : entry.list("a list")) {
            items.add(item.text("a text or a number"));
        }
        return String.join(",", items);
    }
}
