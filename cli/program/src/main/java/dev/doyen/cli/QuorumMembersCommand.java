package dev.doyen.cli;

import dev.doyen.stores.quorum.QuorumAdmin;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code doyen quorum members}: prints the list of members that the leader of the log reports. */
@Command(
        name = "members",
        description = "Lists the members: whether each votes, leads or answers, and its position in the log.")
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
