package dev.doyen.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The base class of all commands, which provides their output streams and usage errors. */
@Command
abstract class BaseCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec spec;

    /** Returns the exception for a usage error. The program adds a pointer to {@code --help} to the sentence. */
    final ParameterException usage(String sentence) {
        return new ParameterException(commandLine(), sentence);
    }

    final PrintWriter out() {
        return commandLine().getOut();
    }

    final PrintWriter err() {
        return commandLine().getErr();
    }

    /** Returns this command's part of the parsed command line. */
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
