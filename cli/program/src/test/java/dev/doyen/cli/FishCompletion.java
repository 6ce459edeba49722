package dev.doyen.cli;

import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Writes the completion for fish: one line for each command and each option. */
final class FishCompletion {

    private static final String START = """
            # Generated from the options of the program by ./dev fix.

            # Succeeds if the words before the cursor begin with doyen and these words.
            function __doyen_at
                set -l words (commandline -opc)
                set -e words[1]
                for i in (seq (count $argv))
                    test "$words[$i]" = "$argv[$i]"; or return 1
                end
            end

            # Succeeds if the words before the cursor are doyen and these words.
            function __doyen_after
                test (count (commandline -opc)) -eq (math (count $argv) + 1); and __doyen_at $argv
            end

            complete -c doyen -f
            """;

    private FishCompletion() {}

    static String of(CommandSpec program) {
        var script = new StringBuilder(START);
        command(script, program);
        return script.toString();
    }

    private static void command(StringBuilder script, CommandSpec command) {
        var words = command.qualifiedName(" ").replaceFirst("^doyen ?", "");
        command.subcommands()
                .forEach((word, each) -> script.append("complete -c doyen -n " + quoted(condition("after", words)))
                        .append(" -a " + word + " -d " + quoted(ManualPage.firstSentence(each.getCommandSpec())))
                        .append('\n'));
        for (var option : ManualPage.options(command)) {
            script.append("complete -c doyen -n " + quoted(condition("at", words)));
            for (var name : option.names()) {
                script.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
            }
            script.append(value(option))
                    .append(" -d " + quoted(ManualPage.firstSentence(ManualPage.description(option))))
                    .append('\n');
        }
        command.subcommands().values().forEach(each -> command(script, each.getCommandSpec()));
    }

    private static String condition(String function, String words) {
        return "__doyen_" + function + (words.isEmpty() ? "" : " " + words);
    }

    private static String value(OptionSpec option) {
        // A value that may be missing follows = without a blank, so fish need not know it.
        if (option.arity().min() == 0) {
            return "";
        }
        var candidates = option.completionCandidates();
        if (candidates != null) {
            return " -x -a " + quoted(String.join(" ", candidates).toLowerCase(Locale.ROOT));
        }
        return switch (option.paramLabel()) {
            case "DIR" -> " -x -a '(__fish_complete_directories)'";
            case "FILE", "PATH" -> " -r -F";
            default -> " -x";
        };
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
