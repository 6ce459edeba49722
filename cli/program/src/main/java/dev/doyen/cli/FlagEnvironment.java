package dev.doyen.cli;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Reads options from the environment if the command line does not set them.
 *
 * <p>For example, {@code ELECTOR_LOG_FORMAT} sets {@code --log-format}. The NAIS elector reads the same
 * {@code ELECTOR_} variables.
 *
 * @param prefix the start of each variable's name, such as {@code ELECTOR_}
 */
record FlagEnvironment(String prefix, Map<String, String> environment) implements IDefaultValueProvider {

    /**
     * Matches the names of the variables that Kubernetes sets for a Service. The pattern matches a name without the
     * prefix. For a Service that is named elector, one of these variables is {@code ELECTOR_PORT}.
     */
    private static final Pattern OF_A_SERVICE = Pattern.compile("SERVICE_(HOST|PORT.*)|PORT|PORT_[0-9]+_.*");

    /**
     * Returns the first variable in alphabetical order that is set and belongs to no option. The variables of a
     * Kubernetes Service do not count. The returned name omits the prefix.
     *
     * @param others the names of the variables that the command reads in addition to its options, without the prefix
     */
    Optional<String> unknown(CommandSpec command, Set<String> others) {
        Set<String> names = new TreeSet<>();
        environment.forEach((variable, value) -> {
            if (variable.startsWith(prefix) && !value.isEmpty()) {
                names.add(variable.substring(prefix.length()));
            }
        });
        names.removeAll(others);
        command.options().forEach(option -> names.remove(name(option)));
        return names.stream()
                .filter(each -> !OF_A_SERVICE.matcher(each).matches())
                .findFirst();
    }

    @Override
    public @Nullable String defaultValue(ArgSpec argument) {
        if (!(argument instanceof OptionSpec option)) {
            return null;
        }
        var value = environment.getOrDefault(prefix + name(option), "");
        return value.isEmpty() ? null : value;
    }

    private static String name(OptionSpec option) {
        return variable(option.longestName());
    }

    /** Returns the name of the variable that sets this option, without the prefix. */
    static String variable(String option) {
        var name = option.startsWith("--") ? option.substring(2) : option;
        return name.replace('-', '_').toUpperCase(Locale.ROOT);
    }
}
