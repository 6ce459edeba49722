package dev.doyen.cli;

import dev.doyen.stores.quorum.QuorumAdmin;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code doyen quorum replace}: replaces a member by another process. */
@Command(
        name = "replace",
        description =
                "Puts the process at NEW in the place of the member at OLD, which may be dead. Start NEW before or"
                        + " meanwhile, with id=NEW in its URL and a new directory.")
final class QuorumReplaceCommand extends QuorumStoreCommand {

    @Parameters(index = "0", paramLabel = "OLD", description = "The member that leaves: HOST or HOST:PORT.")
    private String old = "";

    @Parameters(index = "1", paramLabel = "NEW", description = "The process that takes its place: HOST or HOST:PORT.")
    private String next = "";

    QuorumReplaceCommand(Map<String, String> environment, Voice voice) {
        super(environment, voice);
    }

    @Override
    void work(QuorumAdmin admin) throws InterruptedException {
        report("done", admin.replace(QuorumAdmin.address(old), QuorumAdmin.address(next), this::step));
    }
}
