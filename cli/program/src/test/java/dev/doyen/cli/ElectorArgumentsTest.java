package dev.doyen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.process.RunSignal;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Tests that the options of {@code doyen elector} have the same effect with and without picocli. */
final class ElectorArgumentsTest {

    private static final String PREFIX = "ELECTOR_";
    private static final Consumer<Consumer<RunSignal>> NO_SIGNALS = handler -> {};

    static List<OptionSpec> optionsWithAValue() {
        return picocli(Map.of()).getCommandSpec().options().stream()
                .filter(option -> option.arity().min() == 1)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("optionsWithAValue")
    void an_option_with_a_value_is_read_as_picocli_reads_it(OptionSpec option) {
        var name = option.longestName();
        var value = sample(option.type());
        var variable = Map.of(PREFIX + FlagEnvironment.variable(name), value);

        assertSame(Map.of(), name + "=" + value);
        assertSame(Map.of(), name, value);
        assertSame(variable);
        assertSame(Map.of(PREFIX + FlagEnvironment.variable(name), "given"), name + "=" + value);
    }

    @Test
    void each_field_that_is_not_final_is_an_option_with_the_name_of_the_field() {
        var fields = new ElectorCommand(Map.of(), NO_SIGNALS)
                .optionHolders().stream()
                        .flatMap(holder -> Arrays.stream(holder.getClass().getDeclaredFields()))
                        .filter(field -> !Modifier.isFinal(field.getModifiers()))
                        .toList();

        assertThat(fields)
                .allSatisfy(field -> assertThat(
                                field.getAnnotation(CommandLine.Option.class).names())
                        .contains(ElectorArguments.name(field)));
        assertThat(fields)
                .extracting(ElectorArguments::name)
                .containsAll(optionsWithAValue().stream()
                        .map(OptionSpec::longestName)
                        .toList());
    }

    @Test
    void the_arguments_of_the_injector_need_no_picocli() {
        assertSame(
                Map.of("ELECTOR_LOG_FORMAT", "json", "ELECTOR_ADMIN_COMMANDS", "loopback", "POD_NAME", "pod-a"),
                "--election=orders",
                "--election-namespace=shop",
                "--http=localhost:4040",
                "--probe-address=0.0.0.0:4041",
                "--mode=non_expiring");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--help",
                "--no-such-option=1",
                "--election",
                "--election --ttl=3s",
                "--election=",
                "--election=a --election=b",
                "--ttl=soon",
                "--fall=many",
                "--generation=newest",
                "--mode=loud",
                "--tls-probes",
                "orders",
                "-- --election=a"
            })
    void picocli_reads_all_other_arguments(String arguments) {
        assertThat(set(Map.of(), arguments.split(" "))).isFalse();
    }

    @Test
    void picocli_reads_all_other_variables() {
        assertThat(set(Map.of("ELECTOR_NO_SUCH_OPTION", "1"))).isFalse();
        assertThat(set(Map.of("ELECTOR_ttl", "3s"))).isFalse();
        assertThat(set(Map.of("ELECTOR_ID", "${sys:user.home}"))).isFalse();
        assertThat(set(Map.of("ELECTOR_TTL", "", "OTHER_TTL", "3s"))).isTrue();
    }

    private static void assertSame(Map<String, String> environment, String... arguments) {
        var direct = new ElectorCommand(environment, NO_SIGNALS);
        assertThat(ElectorArguments.set(direct, List.of(arguments), PREFIX, environment))
                .as("%s %s", environment, Arrays.toString(arguments))
                .isTrue();
        var line = picocli(environment);
        line.parseArgs(arguments);
        assertThat(direct)
                .usingRecursiveComparison()
                .ignoringFields("spec")
                .isEqualTo(line.<ElectorCommand>getCommand());
    }

    private static boolean set(Map<String, String> environment, String... arguments) {
        var command = new ElectorCommand(environment, NO_SIGNALS);
        return ElectorArguments.set(command, List.of(arguments), PREFIX, environment);
    }

    private static CommandLine picocli(Map<String, String> environment) {
        return ElectorCommand.commandLine(environment, NO_SIGNALS).setCaseInsensitiveEnumValuesAllowed(true);
    }

    private static String sample(Class<?> type) {
        if (type.isEnum()) {
            var constants = type.getEnumConstants();
            return constants[constants.length - 1].toString().toLowerCase(Locale.ROOT);
        }
        if (type == Duration.class) {
            return "3s";
        }
        return type == int.class || type == Integer.class || type == long.class ? "7" : "/sample";
    }
}
