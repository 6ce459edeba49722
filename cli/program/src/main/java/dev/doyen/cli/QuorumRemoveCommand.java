package dev.doyen.cli;

import dev.doyen.stores.quorum.QuorumAdmin;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code doyen quorum remove}: removes a member. */
@Command(
        name = "remove",
        description =
                "Removes the member at ADDRESS, which may be dead. If it leads the log, another member leads first.")
final class QuorumRemoveCommand extends QuorumStoreCommand {

    @Parameters(index = "0", paramLabel = "ADDRESS", description = "The member: HOST or HOST:PORT.")
    private String address = "";

    QuorumRemoveCommand(Map<String, String> environment, LogSetup logSetup) {
        super(environment, logSetup);
    }

    @Override
    void work(QuorumAdmin admin) throws InterruptedException {
        report("done", admin.remove(QuorumAdmin.address(address), this::step));
    }
}
