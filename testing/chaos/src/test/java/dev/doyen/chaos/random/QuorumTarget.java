package dev.doyen.chaos.random;

import dev.doyen.chaos.ProcessStore;
import dev.doyen.chaos.RingNetwork;
import dev.doyen.testkit.HeldPorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A target on the store {@code quorum:}, with three members and three clients.
 *
 * <p>The members run at the first three places, and the clients at the other places. Either all processes run on
 * loopback, or each process runs in its own network namespace.
 */
final class QuorumTarget implements ChaosTarget {

    static final int MEMBERS = 3;

    /** The number of processes that are not members of the quorum. */
    private static final int CLIENTS = 3;

    private static final int PORT = 7800;
    private static final String SECRET = "a secret of the members, known to nobody else";

    private final Path data = Files.createTempDirectory("doyen-chaos-quorum");
    private final @Nullable RingNetwork network;
    private final List<String> addresses;
    private final String parameters;

    private QuorumTarget(@Nullable RingNetwork network, List<String> addresses, long timeoutMillis) throws IOException {
        this.network = network;
        this.addresses = addresses;
        Path secret = Files.writeString(data.resolve("secret"), SECRET);
        this.parameters = "timeout-millis=" + timeoutMillis + "&secret-file=" + secret;
    }

    /**
     * Creates a target on loopback.
     *
     * @param timeoutMillis the timeout of a store call
     */
    static QuorumTarget onLoopback(long timeoutMillis) throws IOException {
        try (HeldPorts ports = HeldPorts.withAnother(1)) {
            List<String> addresses = ports.take(MEMBERS).stream()
                    .map(port -> "127.0.0.1:" + port)
                    .toList();
            return new QuorumTarget(null, addresses, timeoutMillis);
        }
    }

    static QuorumTarget inNamespaces(long timeoutMillis) throws IOException, InterruptedException {
        RingNetwork network = RingNetwork.open(MEMBERS + CLIENTS);
        List<String> addresses = IntStream.range(0, MEMBERS)
                .mapToObj(place -> network.address(place) + ":" + PORT)
                .toList();
        return new QuorumTarget(network, addresses, timeoutMillis);
    }

    @Override
    public int places() {
        return MEMBERS + CLIENTS;
    }

    @Override
    public String url(int place) {
        String members = "quorum://" + String.join(",", addresses);
        return place < MEMBERS
                ? members + data.resolve("member-" + place) + "?id=" + addresses.get(place) + "&" + parameters
                : members + "?" + parameters;
    }

    @Override
    public List<String> prefix(int place) {
        return network == null ? List.of() : network.prefix(place);
    }

    @Override
    public Ending begin(FaultKind kind, ChaosProcess victim, ChaosProcesses processes) throws Exception {
        int place = victim.place();
        return switch (kind) {
            case MAJORITY_KILL -> killed(majority(processes), processes);
            case MAJORITY_STOP -> stopped(majority(processes));
            case CUT, LOG_LEADER_CUT -> {
                network().cut(place);
                yield () -> network().heal(place);
            }
            case CUT_INCOMING, LOG_LEADER_CUT_INCOMING -> {
                network().loseIncoming(place);
                yield () -> network().loseNothing(place);
            }
            case CUT_OUTGOING, LOG_LEADER_CUT_OUTGOING -> {
                network().loseOutgoing(place);
                yield () -> network().loseNothing(place);
            }
            case SLOW_LINE -> {
                network().slowDown(place);
                yield () -> network().speedUp(place);
            }
            case PARTITION -> {
                network().divide(IntStream.range(0, places()).mapToObj(List::of).toList());
                yield network()::unite;
            }
            default -> throw new IllegalArgumentException(kind + " is not a fault of a quorum or its network");
        };
    }

    @Override
    public void close() throws Exception {
        if (network != null) {
            network.close();
        }
        ProcessStore.delete(data);
    }

    private static Ending killed(List<ChaosProcess> victims, ChaosProcesses processes) {
        victims.forEach(ChaosProcess::close);
        return () -> {
            for (ChaosProcess each : victims) {
                processes.replace(each);
            }
        };
    }

    private static Ending stopped(List<ChaosProcess> victims) throws Exception {
        for (ChaosProcess each : victims) {
            each.stop();
        }
        return () -> {
            for (ChaosProcess each : victims) {
                each.goOn();
            }
        };
    }

    /** Returns a majority of the members. If a member leads the log, the result contains this member. */
    private static List<ChaosProcess> majority(ChaosProcesses processes) {
        Optional<ChaosProcess> leader = processes.logLeader();
        List<ChaosProcess> victims = new ArrayList<>(leader.stream().toList());
        processes.all().stream()
                .filter(each -> each.place() < MEMBERS && !victims.contains(each))
                .limit(MEMBERS / 2 + 1 - victims.size())
                .forEach(victims::add);
        return victims;
    }

    private RingNetwork network() {
        if (network == null) {
            throw new IllegalStateException("processes on loopback have no network that can be cut");
        }
        return network;
    }
}
