package dev.doyen.cli;

import dev.doyen.stores.quorum.QuorumAdmin;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code doyen quorum replace}: replaces a member by another process. */
@Command(
        name = "replace",
        description = "Replaces the member at OLD, even if it does not run, by the process at NEW. Start the process"
                + " before or during this command, with id=NEW and a new directory in its URL.")
final class QuorumReplaceCommand extends QuorumStoreCommand {

    @Parameters(index = "0", paramLabel = "OLD", description = "The member to remove: HOST or HOST:PORT.")
    private String old = "";

    @Parameters(index = "1", paramLabel = "NEW", description = "The process to add: HOST or HOST:PORT.")
    private String next = "";

    QuorumReplaceCommand(Map<String, String> environment, LogSetup logSetup) {
        super(environment, logSetup);
    }

    @Override
    void work(QuorumAdmin admin) throws InterruptedException {
        report("done", admin.replace(QuorumAdmin.address(old), QuorumAdmin.address(next), this::step));
    }
}
