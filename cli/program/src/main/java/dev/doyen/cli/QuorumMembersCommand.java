package dev.doyen.cli;

import dev.doyen.stores.quorum.QuorumAdmin;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code doyen quorum members}: prints the list of members that the Raft leader reports. */
@Command(
        name = "members",
        description = "Lists the members: their roles, which one is the Raft leader, which ones answer, and the last"
                + " entry of the Raft log that each has confirmed.")
final class QuorumMembersCommand extends QuorumStoreCommand {

    QuorumMembersCommand(Map<String, String> environment, LogSetup logSetup) {
        super(environment, logSetup);
    }

    @Override
    void work(QuorumAdmin admin) throws InterruptedException {
        var report = new QuorumReport(admin.members());
        if (json()) {
            out().println(report.json());
        } else {
            report.lines().forEach(out()::println);
        }
    }
}
