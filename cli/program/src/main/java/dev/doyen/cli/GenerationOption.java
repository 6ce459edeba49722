package dev.doyen.cli;

import picocli.CommandLine.Option;

/** The option that sets the generation of the candidate (rule M8). */
final class GenerationOption {

    @Option(
            names = "--generation",
            paramLabel = "NUMBER",
            description = "The generation of this candidate, 0 to 9007199254740991, such as the number of the build. A"
                    + " healthy candidate asks a leader of a lower generation to hand over. Default: 0")
    private long generation;

    /** Returns the generation, which has not been checked. */
    long number() {
        return generation;
    }
}
