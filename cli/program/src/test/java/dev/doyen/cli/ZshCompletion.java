package dev.doyen.cli;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Writes the completion for zsh: one function for each command. */
final class ZshCompletion {

    private ZshCompletion() {}

    static String of(CommandSpec program) {
        var script = new StringBuilder("#compdef doyen\n# Generated from the options of the program by ./dev fix.\n");
        command(script, program);
        return script.append("\n_doyen \"$@\"\n").toString();
    }

    private static void command(StringBuilder script, CommandSpec command) {
        command.subcommands().values().forEach(each -> command(script, each.getCommandSpec()));
        script.append('\n').append(function(command)).append("() {\n");
        boolean hasCommands = !command.subcommands().isEmpty();
        if (hasCommands) {
            script.append("  local state\n");
        }
        script.append("  _arguments -s").append(hasCommands ? " -C" : "");
        ManualPage.options(command).forEach(option -> script.append(option(option)));
        if (hasCommands) {
            script.append(" \\\n    '1: :->command' \\\n    '*:: :->arguments'\n");
            dispatch(script, command);
        } else {
            command.positionalParameters()
                    .forEach(each -> script.append(" \\\n    ")
                            .append(
                                    each.arity().max() > 1
                                            ? "'*::COMMAND:_normal'"
                                            : quoted(":" + each.paramLabel() + ": ")));
            script.append('\n');
        }
        script.append("}\n");
    }

    /** Completes the name of a subcommand, or calls the function of the subcommand. */
    private static void dispatch(StringBuilder script, CommandSpec command) {
        script.append("  case $state in\n    command)\n      local -a commands=(\n");
        command.subcommands()
                .forEach((word, each) -> script.append("        ")
                        .append(quoted(word + ":" + colons(ManualPage.firstSentence(each.getCommandSpec()))))
                        .append('\n'));
        script.append("      )\n      _describe command commands\n      ;;\n    arguments)\n      case $words[1] in\n");
        command.subcommands()
                .forEach((word, each) -> script.append("        ")
                        .append(word)
                        .append(") ")
                        .append(function(each.getCommandSpec()))
                        .append(" ;;\n"));
        script.append("      esac\n      ;;\n  esac\n");
    }

    /** Returns the specifications of an option, one for each of its names. A name excludes the others. */
    private static String option(OptionSpec option) {
        var others = "(" + String.join(" ", option.names()) + ")";
        var text = ManualPage.firstSentence(ManualPage.description(option))
                .replace("[", "\\[")
                .replace("]", "\\]");
        return Arrays.stream(option.names())
                .map(name -> {
                    var separator = name.startsWith("--") ? separator(option) : "";
                    return " \\\n    " + quoted(others + name + separator + "[" + colons(text) + "]" + value(option));
                })
                .collect(Collectors.joining());
    }

    /** Returns the characters between the name and the value. An optional value follows {@code =} without a blank. */
    private static String separator(OptionSpec option) {
        if (option.arity().max() == 0) {
            return "";
        }
        return option.arity().min() == 0 ? "=-" : "=";
    }

    private static String value(OptionSpec option) {
        if (option.arity().max() == 0) {
            return "";
        }
        return (option.arity().min() == 0 ? "::" : ":") + colons(option.paramLabel()) + ":" + values(option);
    }

    private static String values(ArgSpec option) {
        var candidates = option.completionCandidates();
        if (candidates != null) {
            return "(" + String.join(" ", candidates).toLowerCase(Locale.ROOT) + ")";
        }
        return switch (option.paramLabel()) {
            case "DIR" -> "_files -/";
            case "FILE", "PATH" -> "_files";
            default -> " ";
        };
    }

    private static String colons(String text) {
        return text.replace(":", "\\:");
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }

    private static String function(CommandSpec command) {
        return "_" + command.qualifiedName("_");
    }
}
