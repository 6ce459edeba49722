package dev.doyen.chaos.random;

import dev.doyen.chaos.Postgres;
import dev.doyen.chaos.ProcessStore;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The stores that a chaos test can run on. */
enum ChaosStore {
    POSTGRES("postgres", false),
    POSTGRES_SESSION("postgres-session", true),
    ZOOKEEPER("zookeeper", false),
    REDIS("redis", false),
    KUBERNETES("kubernetes", false),
    QUORUM("quorum", false),
    /** A quorum in network namespaces. */
    QUORUM_NETWORK("quorum-network", false);

    private static final Set<FaultKind> OF_PROCESSES = EnumSet.range(FaultKind.KILL, FaultKind.ERRORS);
    private static final Set<FaultKind> OF_SERVERS = EnumSet.range(FaultKind.SERVER_KILL, FaultKind.SERVER_FREEZE);
    private static final Set<FaultKind> OF_MEMBERS = EnumSet.range(FaultKind.LOG_LEADER_KILL, FaultKind.MAJORITY_STOP);
    private static final Set<FaultKind> OF_NETWORKS = EnumSet.range(FaultKind.CUT, FaultKind.PARTITION);

    private final String argument;
    private final boolean sharedSession;

    ChaosStore(String argument, boolean sharedSession) {
        this.argument = argument;
        this.sharedSession = sharedSession;
    }

    static Optional<ChaosStore> of(String argument) {
        return Arrays.stream(values())
                .filter(each -> each.argument.equals(argument))
                .findFirst();
    }

    /** Returns the name of the store on the command line. */
    String argument() {
        return argument;
    }

    /** Returns true if all elections of a process share one session. If not, each election has its own lease. */
    boolean sharedSession() {
        return sharedSession;
    }

    /** Returns the kinds of faults that a chaos test can inject with this store. */
    List<FaultKind> faults() {
        Set<FaultKind> faults = EnumSet.noneOf(FaultKind.class);
        switch (this) {
            case QUORUM -> {
                faults.addAll(OF_PROCESSES);
                faults.addAll(OF_MEMBERS);
            }
            case QUORUM_NETWORK -> {
                faults.add(FaultKind.KILL);
                faults.addAll(OF_NETWORKS);
            }
            default -> {
                faults.addAll(OF_PROCESSES);
                faults.addAll(OF_SERVERS);
            }
        }
        return List.copyOf(faults);
    }

    /**
     * Creates the environment of a chaos test on this store.
     *
     * @param ttl the ttl of the leases
     */
    ChaosTarget open(Duration ttl) throws Exception {
        // docs/reference/stores.md advises a request timeout of a fifth of the ttl.
        long timeoutMillis = Math.max(100, ttl.toMillis() / 5);
        return switch (this) {
            case POSTGRES, POSTGRES_SESSION -> new ServerTarget(new Postgres());
            case ZOOKEEPER -> new ServerTarget(ProcessStore.zooKeeper());
            case REDIS -> new ServerTarget(ProcessStore.redis());
            case KUBERNETES -> new ServerTarget(ProcessStore.kubernetes());
            case QUORUM -> QuorumTarget.onLoopback(timeoutMillis);
            case QUORUM_NETWORK -> QuorumTarget.inNamespaces(timeoutMillis);
        };
    }
}
