package dev.doyen.cli;

import dev.doyen.process.RunSignal;
import java.util.Map;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code doyen quorum}: shows and changes the members of a quorum store. */
@Command(
        name = "quorum",
        description = "Lists or changes the members of a quorum store, or runs a member.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footerHeading = "%n",
        footer = {
            "The URL in --store contains addresses of members: quorum://a:7800,b:7800,c:7800?secret-file=/path. Except"
                    + " for doyen quorum member, these commands are clients, and listen on no port. If a command is"
                    + " interrupted, run it again.",
            "",
            "Exit code: 0 done; 1 not finished in time, or the quorum cannot be reached or has no majority; 2 wrong"
                    + " usage; 3 the quorum rejects the change."
        })
final class QuorumCommand extends BaseCommand {

    /** The exit code if the quorum rejects a change. */
    static final int EXIT_REFUSED = 3;

    /**
     * Returns the command with its subcommands.
     *
     * @param signals receives the handler of the signals that this process gets
     */
    static CommandLine commandLine(
            Map<String, String> environment, LogSetup logSetup, Consumer<Consumer<RunSignal>> signals) {
        return new CommandLine(new QuorumCommand())
                .addSubcommand(new QuorumMembersCommand(environment, logSetup))
                .addSubcommand(new QuorumAddCommand(environment, logSetup))
                .addSubcommand(new QuorumRemoveCommand(environment, logSetup))
                .addSubcommand(new QuorumReplaceCommand(environment, logSetup))
                .addSubcommand(new QuorumMemberCommand(environment, logSetup, signals));
    }

    @Override
    public Integer call() {
        throw usage("the subcommand is missing; use one of members, add, remove, replace and member");
    }
}
