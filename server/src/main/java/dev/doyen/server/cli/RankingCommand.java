package dev.doyen.server.cli;

import dev.doyen.server.member.RankingManner;
import dev.doyen.server.member.RankingOrder;
import dev.doyen.server.run.RunSignal;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code doyen ranking}: stands in an election by ranking. */
@Command(
        name = "ranking",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Stands in election NAME among processes that only know each other, without a store, where one can say who is"
                    + " next, and tells over HTTP who leads, as doyen elector does: GET /, GET /sse, /v1. On the same port is"
                    + " /console/, for browsers of this machine.",
            "In a partition of the network each side has a leader. If that would do harm, use doyen ring with --voters, or"
                    + " a store.",
        },
        footerHeading = "%n",
        footer = {
            "The others also need the port 100 above that of --listen, by which a crash is noticed.",
            "The secret may stand in the environment as DOYEN_RANKING_SECRET instead of in a file, and each option as"
                    + " DOYEN_RANKING_ with its name, such as DOYEN_RANKING_PROBE_ADDRESS.",
            "",
            "Exit code: 0 told to end, 1 a port cannot be opened or a setting cannot be meant, 2 misused."
        })
final class RankingCommand extends MemberCommand {

    @Option(
            names = "--order",
            paramLabel = "WHICH",
            description =
                    "Who is next when nobody leads, of those whose --priority is the same: oldest, who has been there"
                            + " longest, or lowest_id; the same for all. Default: oldest")
    private RankingOrder order = RankingOrder.OLDEST;

    @Option(
            names = "--ttl",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description =
                    "A leader that not all members answer leads on for 0.8 of this at most, 100ms to 60m; longer than"
                            + " --detection by a quarter, and the same for all. Default: 5s")
    private Duration ttl = Duration.ofSeconds(5);

    RankingCommand(Map<String, String> environment, Consumer<Consumer<RunSignal>> signals) {
        super("DOYEN_RANKING_", environment, signals);
    }

    @Override
    MemberCommand anew(Map<String, String> environment, Consumer<Consumer<RunSignal>> signals) {
        return new RankingCommand(environment, signals);
    }

    @Override
    RankingManner manner() {
        return new RankingManner(order, ttl);
    }
}
