package dev.doyen.cli;

import dev.doyen.stores.quorum.QuorumAdmin;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code doyen quorum add}: adds a process to the members. */
@Command(
        name = "add",
        description = "Adds the process at ADDRESS, which votes after it has received all records. Start the process"
                + " before or during this command, with id=ADDRESS and a new directory in its URL.")
final class QuorumAddCommand extends QuorumStoreCommand {

    @Parameters(
            index = "0",
            paramLabel = "ADDRESS",
            description = "The address of the process to add: HOST or HOST:PORT.")
    private String address = "";

    @Option(names = "--learner", description = "The process receives all records, but does not vote.")
    private boolean isLearner;

    QuorumAddCommand(Map<String, String> environment, LogSetup logSetup) {
        super(environment, logSetup);
    }

    @Override
    void work(QuorumAdmin admin) throws InterruptedException {
        String process = QuorumAdmin.address(address);
        report("done", isLearner ? admin.addLearner(process, this::step) : admin.add(process, this::step));
    }
}
