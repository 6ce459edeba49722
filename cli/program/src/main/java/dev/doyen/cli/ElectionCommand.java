package dev.doyen.cli;

import dev.doyen.text.ElectionNames;
import java.util.Map;
import picocli.CommandLine.Parameters;

/** The base class of all operator commands that concern one election. */
abstract class ElectionCommand extends StoreCommand {

    @Parameters(index = "0", paramLabel = "NAME", description = "The name of the election.")
    private String name = "";

    ElectionCommand(Map<String, String> environment, LogSetup logSetup) {
        super(environment, logSetup);
    }

    final String name() {
        return name;
    }

    @Override
    void check() {
        ElectionNames.checkElection(name);
    }
}
