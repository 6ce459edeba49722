package dev.doyen.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Writes a manual page of a command in the format of man(7).
 *
 * <p>The page contains {@code @VERSION@} in place of the version. The build of the release replaces it.
 */
final class ManualPage {

    private static final String EXIT_CODE = "Exit code: ";

    private ManualPage() {}

    /** Returns the name of the page, which is also the name of its file without the section. */
    static String name(CommandSpec command) {
        return command.qualifiedName("-");
    }

    static String of(CommandSpec command) {
        var page = new StringBuilder();
        var name = name(command);
        page.append(".\\\" Generated from the options of the program by ./dev fix.\n");
        page.append(".TH " + escaped(name.toUpperCase(Locale.ROOT)) + " 1 \"\" \"doyen @VERSION@\" Doyen\n");
        page.append(".SH NAME\n" + escaped(name) + " \\- " + escaped(summary(command)) + "\n");
        page.append(".SH SYNOPSIS\n.nf\n" + escaped(synopsis(command)) + "\n.fi\n");
        page.append(".SH DESCRIPTION\n");
        page.append(Arrays.stream(command.usageMessage().description())
                .map(ManualPage::line)
                .collect(Collectors.joining(".PP\n")));
        if (!command.options().isEmpty()) {
            page.append(".SH OPTIONS\n");
            arguments(page, command);
        }
        if (!command.subcommands().isEmpty()) {
            page.append(".SH COMMANDS\n");
            command.subcommands().forEach((word, each) -> subcommand(page, command, word, each));
        }
        footer(page, command);
        page.append(".SH SEE ALSO\n" + related(command) + "\n");
        return page.toString();
    }

    /** Returns the description of an argument as plain text. */
    static String description(ArgSpec argument) {
        return String.join(" ", argument.description())
                .replace("${DEFAULT-VALUE}", String.valueOf(argument.defaultValueString()))
                .replace("$$", "$");
    }

    /** Returns the first sentence of the description of a command, without its full stop. */
    static String firstSentence(CommandSpec command) {
        return firstSentence(String.join(" ", command.usageMessage().description()));
    }

    static String firstSentence(String text) {
        return text.replaceFirst("(?s)\\.( .*)?$", "");
    }

    /** Returns the options that are in the help. */
    static List<OptionSpec> options(CommandSpec command) {
        return command.options().stream().filter(option -> !option.hidden()).toList();
    }

    private static String summary(CommandSpec command) {
        var sentence = firstSentence(command);
        return Character.toLowerCase(sentence.charAt(0)) + sentence.substring(1);
    }

    private static String synopsis(CommandSpec command) {
        return new Help(command, Help.defaultColorScheme(Help.Ansi.OFF))
                .synopsis(0)
                .strip();
    }

    private static void arguments(StringBuilder page, CommandSpec command) {
        command.positionalParameters().forEach(each -> entry(page, "\\fI" + escaped(each.paramLabel()) + "\\fR", each));
        for (var option : options(command)) {
            List<String> names = new ArrayList<>();
            var label = option.arity().max() == 0 ? "" : " \\fI" + escaped(option.paramLabel()) + "\\fR";
            for (var name : option.names()) {
                names.add("\\fB" + escaped(name) + "\\fR" + label);
            }
            entry(page, String.join(", ", names), option);
        }
    }

    private static void entry(StringBuilder page, String what, ArgSpec argument) {
        page.append(".TP\n").append(what).append('\n').append(line(description(argument)));
    }

    /** Describes a subcommand. A command of the program has its own page, so this page contains only its summary. */
    private static void subcommand(StringBuilder page, CommandSpec command, String word, CommandLine each) {
        var spec = each.getCommandSpec();
        if (command.parent() == null) {
            page.append(".TP\n\\fB").append(escaped(word)).append("\\fR\n").append(line(firstSentence(spec) + "."));
            return;
        }
        page.append(".SS ").append(escaped(word)).append('\n');
        page.append(line(String.join(" ", spec.usageMessage().description())));
        arguments(page, spec);
    }

    /** Writes the footer of the help. Lines that begin with spaces keep their form. */
    private static void footer(StringBuilder page, CommandSpec command) {
        boolean begun = false;
        for (var each : command.usageMessage().footer()) {
            if (each.isEmpty()) {
                continue;
            }
            if (each.startsWith(EXIT_CODE)) {
                page.append(".SH EXIT STATUS\n").append(line(each.substring(EXIT_CODE.length())));
                continue;
            }
            if (!begun) {
                page.append(".SH NOTES\n");
                begun = true;
            }
            if (each.startsWith(" ")) {
                page.append(".nf\n").append(escaped(each)).append("\n.fi\n");
            } else {
                page.append(".PP\n").append(line(each));
            }
        }
    }

    private static String related(CommandSpec command) {
        var pages = command.parent() == null
                ? command.subcommands().values().stream().map(CommandLine::getCommandSpec)
                : Stream.of(command.parent());
        return pages.map(each -> ".BR " + escaped(name(each)) + " (1)").collect(Collectors.joining(" ,\n"));
    }

    private static String line(String text) {
        return escaped(text) + "\n";
    }

    private static String escaped(String text) {
        var escaped = text.replace("\\", "\\e")
                .replace("-", "\\-")
                .replace("~", "\\(ti")
                .replace("^", "\\(ha")
                .replace("`", "\\(ga")
                .replace("'", "\\(aq");
        return escaped.startsWith(".") ? "\\&" + escaped : escaped;
    }
}
