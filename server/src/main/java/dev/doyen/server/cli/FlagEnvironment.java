package dev.doyen.server.cli;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Reads options from the environment if the command line does not set them.
 *
 * <p>{@code ELECTOR_LOG_FORMAT} sets {@code --log-format}, as with the NAIS elector.
 *
 * @param prefix the start of each variable's name, such as {@code ELECTOR_}
 */
record FlagEnvironment(String prefix, Map<String, String> environment) implements IDefaultValueProvider {

    @Override
    public @Nullable String defaultValue(ArgSpec argument) {
        if (!(argument instanceof OptionSpec option)) {
            return null;
        }
        var name =
                option.longestName().replaceFirst("^--", "").replace('-', '_').toUpperCase(Locale.ROOT);
        var value = environment.getOrDefault(prefix + name, "");
        return value.isEmpty() ? null : value;
    }
}
