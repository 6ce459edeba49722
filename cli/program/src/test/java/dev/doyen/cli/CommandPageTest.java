package dev.doyen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.hub.server.claims.StrictClaims;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Tests that docs/reference/cli.md lists the options and the exit codes of the program.
 *
 * <p>The tables of options are generated from the program's own model. The command {@code ./dev fix} writes the
 * tables. The rest of the page is written by hand.
 */
final class CommandPageTest {

    private static final Path PAGE = Path.of("..", "..", "docs", "reference", "cli.md");
    private static final Pattern TABLE =
            Pattern.compile("<!-- options: (\\S+) -->\n(.*?)<!-- end of options -->\n", Pattern.DOTALL);
    private static final Pattern SECTION = Pattern.compile("^## doyen (\\S+)$", Pattern.MULTILINE);
    private static final Pattern EXIT_CODES = Pattern.compile("^\\| `(\\S+)` \\| (.*) \\|$", Pattern.MULTILINE);
    private static final Pattern NUMBER = Pattern.compile("\\b[0-9]+");

    /** The exit codes that have the same meaning for every command, and that most rows of the table omit. */
    private static final Set<Integer> USUAL_EXIT_CODES = Set.of(1, 2);

    private final CommandLine program = program();

    /** Returns the program with all its commands. */
    static CommandLine program() {
        return program(new StringWriter(), new StringWriter());
    }

    /** Returns the program with the commands that it has with these arguments. */
    static CommandLine program(Writer out, Writer err, String... arguments) {
        return Doyen.commandLine(
                (directory, settings) ->
                        StrictClaims.withElection(settings.watched().get(0)),
                Map.of(),
                server -> {},
                signals -> {},
                new PrintWriter(out),
                new PrintWriter(err),
                arguments);
    }

    @Test
    void the_page_has_a_section_for_each_command_and_no_other_section() throws IOException {
        assertThat(SECTION.matcher(Files.readString(PAGE)).results().map(found -> found.group(1)))
                .containsExactlyInAnyOrderElementsOf(program.getSubcommands().keySet());
    }

    @Test
    void the_tables_of_options_equal_the_options_of_the_program() throws IOException {
        var page = Files.readString(PAGE);
        var written = TABLE.matcher(page)
                .replaceAll(found -> java.util.regex.Matcher.quoteReplacement("<!-- options: " + found.group(1)
                        + " -->\n" + table(command(found.group(1))) + "<!-- end of options -->\n"));
        if (Boolean.getBoolean("rewrite")) {
            Files.writeString(PAGE, written);
        }
        assertThat(Files.readString(PAGE))
                .as("the page is current; otherwise run ./dev fix")
                .isEqualTo(written);
    }

    @Test
    void every_section_has_its_table() throws IOException {
        var tables = TABLE.matcher(Files.readString(PAGE))
                .results()
                .map(found -> found.group(1))
                .toList();

        assertThat(tables)
                .containsExactlyInAnyOrderElementsOf(program.getSubcommands().keySet());
    }

    @Test
    void the_exit_codes_in_the_pages_table_are_those_in_the_commands_help() throws IOException {
        var page = Files.readString(PAGE);
        var rows = EXIT_CODES
                .matcher(page.substring(page.indexOf("## Exit codes")))
                .results()
                .collect(Collectors.toMap(row -> row.group(1), row -> numbers(row.group(2))));

        assertThat(rows.keySet())
                .containsExactlyInAnyOrderElementsOf(program.getSubcommands().keySet());
        rows.forEach((name, inPage) -> {
            var inHelp = exitCodes(command(name));
            if (!inHelp.isEmpty()) {
                inPage.addAll(USUAL_EXIT_CODES);
                assertThat(inPage).as("the exit codes of " + name).isEqualTo(inHelp);
            }
        });
    }

    /** Returns the exit codes in the help of a command and of its subcommands. */
    private static Set<Integer> exitCodes(CommandSpec command) {
        var help = String.join(" ", command.usageMessage().footer());
        int at = help.indexOf("Exit code: ");
        var codes = at < 0 ? new TreeSet<Integer>() : numbers(help.substring(at));
        command.subcommands().values().forEach(each -> codes.addAll(exitCodes(each.getCommandSpec())));
        return codes;
    }

    private static Set<Integer> numbers(String text) {
        return NUMBER.matcher(text)
                .results()
                .map(found -> Integer.valueOf(found.group()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private CommandSpec command(String name) {
        var command = program.getSubcommands().get(name);
        assertThat(command).as("the program has the command " + name).isNotNull();
        return command.getCommandSpec();
    }

    /** Returns the table of a command. The table includes the options of the command's subcommands. */
    private static String table(CommandSpec command) {
        var table = new StringBuilder("| | |\n|---|---|\n");
        rows(table, command);
        command.subcommands().forEach((name, each) -> {
            table.append("| **`").append(name).append("`** | ");
            table.append(String.join(" ", each.getCommandSpec().usageMessage().description()));
            table.append(" |\n");
            rows(table, each.getCommandSpec());
        });
        return table.toString();
    }

    private static void rows(StringBuilder table, CommandSpec command) {
        command.positionalParameters().forEach(each -> row(table, "`" + each.paramLabel() + "`", each));
        for (var option : command.options()) {
            if (!option.usageHelp()
                    && !option.versionHelp()
                    && !option.longestName().equals("--verbose")) {
                row(table, names(option), option);
            }
        }
    }

    private static String names(OptionSpec option) {
        List<String> names = new ArrayList<>();
        var label = option.arity().max() == 0 ? "" : " " + option.paramLabel();
        for (var name : option.names()) {
            names.add("`" + name + label + "`");
        }
        return String.join(", ", names);
    }

    private static void row(StringBuilder table, String what, ArgSpec argument) {
        var text = ManualPage.description(argument).replace("|", "\\|");
        table.append("| ").append(what).append(" | ").append(text).append(" |\n");
    }
}
