package dev.doyen.server.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** A command as the program has started it: where it speaks, and how it refuses. */
@Command
abstract class SpokenCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec spec;

    /** For what was said wrong: one sentence, to which the program adds where to look. */
    final ParameterException usage(String sentence) {
        return new ParameterException(commandLine(), sentence);
    }

    final PrintWriter out() {
        return commandLine().getOut();
    }

    final PrintWriter err() {
        return commandLine().getErr();
    }

    /** What was typed, as far as it is this command's. */
    final ParseResult parsed() {
        return commandLine().getParseResult();
    }

    private CommandLine commandLine() {
        if (spec == null) {
            throw new IllegalStateException("the command was not started by picocli");
        }
        return spec.commandLine();
    }
}
