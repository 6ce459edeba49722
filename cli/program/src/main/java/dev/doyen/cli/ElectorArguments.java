package dev.doyen.cli;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the options of {@code doyen elector} without picocli.
 *
 * <p>Each start of a pod waits for its sidecar, and picocli needs much of a sidecar's processor time until the first
 * answer. This class reads only valid options with values. In every other case, picocli reads the arguments, and prints
 * the help or the error.
 *
 * <p>The annotations of picocli define the options. This class reads no annotation, because this takes as long as
 * picocli does. Instead, the name of each field follows from its option: {@code appPort} is {@code --app-port}. All
 * fields that are no options are final.
 */
final class ElectorArguments {

    private final Map<String, Option> options = new HashMap<>();

    private record Option(Object holder, Field field) {}

    private ElectorArguments(ElectorCommand command) {
        for (var holder : command.optionHolders()) {
            for (var field : holder.getClass().getDeclaredFields()) {
                if (!Modifier.isFinal(field.getModifiers())) {
                    options.put(name(field), new Option(holder, field));
                }
            }
        }
    }

    /**
     * Sets the options of the command, as picocli does.
     *
     * @param prefix the start of the names of the variables that set options
     * @return false if picocli must read the arguments; the command is then possibly incomplete
     */
    static boolean set(ElectorCommand command, List<String> arguments, String prefix, Map<String, String> environment) {
        var values = new HashMap<String, String>();
        for (var variable : environment.entrySet()) {
            if (variable.getKey().startsWith(prefix) && !variable.getValue().isEmpty()) {
                var name = variable.getKey().substring(prefix.length());
                var option = "--" + name.toLowerCase(Locale.ROOT).replace('_', '-');
                // Picocli replaces parts of a default value that begin with a dollar sign.
                if (!FlagEnvironment.variable(option).equals(name)
                        || variable.getValue().indexOf('$') >= 0) {
                    return false;
                }
                values.put(option, variable.getValue());
            }
        }
        return addTo(values, arguments) && new ElectorArguments(command).setAll(values);
    }

    /** Returns the option that a field of the command contains, such as {@code --app-port}. */
    static String name(Field field) {
        var option = new StringBuilder("--");
        for (char each : field.getName().toCharArray()) {
            if (Character.isUpperCase(each)) {
                option.append('-');
            }
            option.append(Character.toLowerCase(each));
        }
        return option.toString();
    }

    private static boolean addTo(Map<String, String> values, List<String> arguments) {
        var given = new HashMap<String, String>();
        for (int i = 0; i < arguments.size(); i++) {
            var argument = arguments.get(i);
            int equals = argument.indexOf('=');
            var name = equals < 0 ? argument : argument.substring(0, equals);
            String value;
            if (equals >= 0) {
                value = argument.substring(equals + 1);
            } else if (i + 1 < arguments.size() && !arguments.get(i + 1).startsWith("-")) {
                value = arguments.get(++i);
            } else {
                return false;
            }
            if (value.isEmpty() || given.put(name, value) != null) {
                return false;
            }
        }
        values.putAll(given);
        return true;
    }

    private boolean setAll(Map<String, String> values) {
        try {
            for (var each : values.entrySet()) {
                var option = options.get(each.getKey());
                if (option == null) {
                    return false;
                }
                var value = read(option.field().getType(), each.getValue());
                if (value.isEmpty()) {
                    return false;
                }
                option.field().setAccessible(true);
                option.field().set(option.holder(), value.get());
            }
            return true;
        } catch (RuntimeException | IllegalAccessException e) {
            // Picocli reads the value again, and reports what is wrong.
            return false;
        }
    }

    /** Returns the value of this type, or an empty result if only picocli can read the type. */
    private static Optional<Object> read(Class<?> type, String text) {
        if (type == String.class) {
            return Optional.of(text);
        }
        if (type == Duration.class) {
            return Optional.of(DurationConverter.parse(text));
        }
        if (type == int.class || type == Integer.class) {
            return Optional.of(Integer.valueOf(text));
        }
        if (type == long.class) {
            return Optional.of(Long.valueOf(text));
        }
        if (type == Path.class) {
            return Optional.of(Path.of(text));
        }
        if (type.isEnum()) {
            for (var constant : type.getEnumConstants()) {
                if (((Enum<?>) constant).name().equalsIgnoreCase(text)) {
                    return Optional.of(constant);
                }
            }
        }
        return Optional.empty();
    }
}
