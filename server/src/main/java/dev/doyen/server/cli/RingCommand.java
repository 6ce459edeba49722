package dev.doyen.server.cli;

import dev.doyen.ring.Electorate;
import dev.doyen.ring.RingAlgorithm;
import dev.doyen.ring.RingOrder;
import dev.doyen.ring.RingTiming;
import dev.doyen.server.member.RingManner;
import dev.doyen.server.run.RunSignal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code doyen ring}: stands in an election on a ring. */
@Command(
        name = "ring",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Stands in election NAME among processes that only know each other, without a store, and tells over HTTP who"
                    + " leads, as doyen elector does: GET /, GET /sse, /v1. On the same port is /console/, for browsers of this"
                    + " machine.",
            "In a partition of the network each side has a leader, unless --voters are named: then only the side with more"
                    + " than half of them can have one.",
        },
        footerHeading = "%n",
        footer = {
            "The others also need the port 100 above that of --listen, by which a crash is noticed.",
            "The secret may stand in the environment as DOYEN_RING_SECRET instead of in a file, and each option as"
                    + " DOYEN_RING_ with its name, such as DOYEN_RING_PROBE_ADDRESS.",
            "",
            "Exit code: 0 told to end, 1 a port cannot be opened or a setting cannot be meant, 2 misused."
        })
final class RingCommand extends MemberCommand {

    @Option(
            names = "--follow",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description =
                    "How soon a silent leader is replaced whose process runs, up to 60m, and at least 2.2 times --detection"
                            + " and 1s; the same for all. Default: 8s")
    private Duration follow = RingTiming.DEFAULT_FOLLOW;

    @Option(
            names = "--voters",
            paramLabel = "ID",
            split = ",",
            description =
                    "Of these members more than half must grant a leader, so that there is at most one: an odd number,"
                            + " 3 or 5 are usual; the same for all. Default: none, and each side of a partition has a leader")
    private List<String> voters = List.of();

    @Option(
            names = "--promises",
            paramLabel = "PATH",
            description =
                    "Where this voter keeps what it has promised, on a local disk, its own alone: without it terms may"
                            + " repeat when voters begin anew.")
    private @Nullable Path promises;

    @Option(
            names = "--algorithm",
            paramLabel = "WHICH",
            description = "chang_roberts or peterson; the same for all. Default: chang_roberts")
    private RingAlgorithm algorithm = RingAlgorithm.CHANG_ROBERTS;

    @Option(
            names = "--order",
            paramLabel = "WHICH",
            description =
                    "Which of the members with the highest --priority is elected: oldest, lowest_id or highest_id;"
                            + " the same for all. Default: oldest")
    private RingOrder order = RingOrder.OLDEST;

    RingCommand(Map<String, String> environment, Consumer<Consumer<RunSignal>> signals) {
        super("DOYEN_RING_", environment, signals);
    }

    @Override
    MemberCommand anew(Map<String, String> environment, Consumer<Consumer<RunSignal>> signals) {
        return new RingCommand(environment, signals);
    }

    @Override
    RingManner manner() {
        if (!voters.isEmpty()) {
            Electorate.of(voters);
        } else if (promises != null) {
            throw new IllegalArgumentException(
                    "--promises " + promises + " is for voters, and none are named; add --voters, or leave it out");
        }
        return new RingManner(follow, voters, Optional.ofNullable(promises), algorithm, order);
    }
}
