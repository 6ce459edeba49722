package dev.doyen.cli;

import dev.doyen.stores.quorum.QuorumAdmin;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code doyen quorum remove}: removes a member. */
@Command(
        name = "remove",
        description = "Removes the member at ADDRESS, even if it does not run. If it is the Raft leader, another"
                + " member first becomes the Raft leader.")
final class QuorumRemoveCommand extends QuorumStoreCommand {

    @Parameters(index = "0", paramLabel = "ADDRESS", description = "The member to remove: HOST or HOST:PORT.")
    private String address = "";

    QuorumRemoveCommand(Map<String, String> environment, LogSetup logSetup) {
        super(environment, logSetup);
    }

    @Override
    void work(QuorumAdmin admin) throws InterruptedException {
        report("done", admin.remove(QuorumAdmin.address(address), this::step));
    }
}
