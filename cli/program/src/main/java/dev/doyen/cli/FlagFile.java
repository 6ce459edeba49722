package dev.doyen.cli;

import dev.doyen.hub.server.settings.FlagSettings;
import dev.doyen.hub.server.settings.SettingsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Adds the options of a settings file to a command line. */
final class FlagFile {

    /** The options that a settings file may not contain. */
    private static final Set<String> NOT_SETTINGS = Set.of("help", "version", "verbose", "settings");

    private FlagFile() {}

    /**
     * Returns the command line with the options of the file added.
     *
     * <p>An option of the file is ignored if the command line or the environment sets the same option or a mutually
     * exclusive option.
     *
     * @param given the parsed command line
     * @throws SettingsException if the file cannot be read or is invalid
     */
    static List<String> arguments(Path file, ParseResult given, FlagEnvironment environment) throws SettingsException {
        var options = new TreeMap<String, OptionSpec>();
        for (OptionSpec option : given.commandSpec().options()) {
            var name = option.longestName().replaceFirst("^--", "");
            if (!NOT_SETTINGS.contains(name)) {
                options.put(name, option);
            }
        }
        Map<String, String> settings = FlagSettings.read(file, options.keySet());
        var arguments = new ArrayList<String>();
        for (var option : given.matchedOptions()) {
            option.originalStringValues().forEach(value -> arguments.add(option.longestName() + "=" + value));
        }
        for (var each : settings.entrySet()) {
            OptionSpec option = options.get(each.getKey());
            if (option != null && !isSet(option, given, environment)) {
                arguments.add(option.longestName() + "=" + each.getValue());
            }
        }
        given.matchedPositionals().forEach(positional -> arguments.addAll(positional.originalStringValues()));
        return arguments;
    }

    /** Returns true if the user has set this option or a mutually exclusive option. */
    private static boolean isSet(OptionSpec option, ParseResult given, FlagEnvironment environment) {
        List<OptionSpec> all =
                option.group() == null ? List.of(option) : option.group().allOptionsNested();
        return all.stream().anyMatch(each -> given.hasMatchedOption(each) || environment.defaultValue(each) != null);
    }
}
