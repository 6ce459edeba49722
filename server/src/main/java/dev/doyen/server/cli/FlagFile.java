package dev.doyen.server.cli;

import dev.doyen.server.settings.FlagSettings;
import dev.doyen.server.settings.SettingsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** A settings file that says what is not said on the command line, nor in the environment. */
final class FlagFile {

    /** What has no place in a file: what is asked for once, and the file itself. */
    private static final Set<String> NOT_SETTINGS = Set.of("help", "version", "verbose", "settings");

    private FlagFile() {}

    /**
     * The command line as if what the file says had been typed, too.
     *
     * @param given what was typed
     * @throws SettingsException if the file cannot be read or meant
     */
    static List<String> arguments(Path file, ParseResult given, FlagEnvironment environment) throws SettingsException {
        var options = new TreeMap<String, OptionSpec>();
        for (OptionSpec option : given.commandSpec().options()) {
            var name = option.longestName().replaceFirst("^--", "");
            if (!NOT_SETTINGS.contains(name)) {
                options.put(name, option);
            }
        }
        Map<String, String> said = FlagSettings.read(file, options.keySet());
        var arguments = new ArrayList<String>();
        for (var option : given.matchedOptions()) {
            option.originalStringValues().forEach(value -> arguments.add(option.longestName() + "=" + value));
        }
        for (var each : said.entrySet()) {
            OptionSpec option = options.get(each.getKey());
            if (option != null && !isSaid(option, given, environment)) {
                arguments.add(option.longestName() + "=" + each.getValue());
            }
        }
        given.matchedPositionals().forEach(positional -> arguments.addAll(positional.originalStringValues()));
        return arguments;
    }

    /** This option, or another that excludes it. */
    private static boolean isSaid(OptionSpec option, ParseResult given, FlagEnvironment environment) {
        List<OptionSpec> all =
                option.group() == null ? List.of(option) : option.group().allOptionsNested();
        return all.stream().anyMatch(each -> given.hasMatchedOption(each) || environment.defaultValue(each) != null);
    }
}
