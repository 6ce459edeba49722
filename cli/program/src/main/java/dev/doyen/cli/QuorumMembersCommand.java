package dev.doyen.cli;

import dev.doyen.stores.quorum.QuorumAdmin;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code doyen quorum members}: prints the members, as the leader of the log reports them. */
@Command(
        name = "members",
        description = "Shows the members: which vote, which leads, which answer, and how far each is.")
final class QuorumMembersCommand extends QuorumStoreCommand {

    QuorumMembersCommand(Map<String, String> environment, Voice voice) {
        super(environment, voice);
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
