package dev.doyen.benchmarks.contender;

import dev.doyen.benchmarks.server.ServerKind;
import java.time.Duration;
import java.util.Locale;

/** The systems under comparison, and the kind of server that each system uses. */
public enum Entrant {
    DOYEN_POSTGRES("Doyen, Election", ServerKind.POSTGRES, false),
    DOYEN_POSTGRES_SESSION("Doyen, Elections", ServerKind.POSTGRES, true),
    DOYEN_POSTGRES_POLLED("Doyen, Election, store without watch", ServerKind.POSTGRES, false),
    SPRING_JDBC("Spring Integration JDBC", ServerKind.POSTGRES, true),
    SHEDLOCK("ShedLock, extended by hand", ServerKind.POSTGRES, true),
    DOYEN_ZOOKEEPER("Doyen, Election", ServerKind.ZOOKEEPER, false),
    DOYEN_ZOOKEEPER_SESSION("Doyen, Elections", ServerKind.ZOOKEEPER, true),
    CURATOR("Curator LeaderLatch", ServerKind.ZOOKEEPER, true),
    DOYEN_ETCD("Doyen, Election", ServerKind.ETCD, false),
    DOYEN_ETCD_SESSION("Doyen, Elections", ServerKind.ETCD, true),
    JETCD("jetcd election", ServerKind.ETCD, true),
    DOYEN_QUORUM("Doyen, Election", ServerKind.QUORUM, false),
    DOYEN_QUORUM_SESSION("Doyen, Elections", ServerKind.QUORUM, true),
    DOYEN_EMBEDDED_QUORUM("Doyen, Election", ServerKind.EMBEDDED_QUORUM, false),
    CURATOR_EMBEDDED("Curator LeaderLatch", ServerKind.EMBEDDED_ZOOKEEPER, false);

    private final String label;
    private final ServerKind server;
    private final boolean forMany;

    Entrant(String label, ServerKind server, boolean forMany) {
        this.label = label;
        this.server = server;
        this.forMany = forMany;
    }

    /** Returns the name of the system in the report. */
    public String label() {
        return label;
    }

    public ServerKind server() {
        return server;
    }

    public boolean isDoyen() {
        return name().startsWith("DOYEN");
    }

    /**
     * Returns true if the part with a thousand elections measures this entrant.
     *
     * <p>Such an entrant uses its system as recommended for a process with many elections.
     */
    public boolean isForMany() {
        return forMany;
    }

    /** Returns the name of the entrant in election names, file names and command lines. */
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Connects to the server. If the server is embedded, the method also starts the member that runs in this process.
     *
     * @param url the server's URL {@linkplain dev.doyen.benchmarks.server.Server#url(int) for this candidate}
     */
    public Contender open(String url, Duration ttl) {
        return switch (this) {
            case DOYEN_POSTGRES, DOYEN_ZOOKEEPER, DOYEN_ETCD, DOYEN_QUORUM, DOYEN_EMBEDDED_QUORUM ->
                DoyenElection.watching(url, ttl);
            case DOYEN_POSTGRES_SESSION, DOYEN_ZOOKEEPER_SESSION, DOYEN_ETCD_SESSION, DOYEN_QUORUM_SESSION ->
                new DoyenElections(url, ttl);
            case DOYEN_POSTGRES_POLLED -> DoyenElection.polling(url, ttl);
            case SPRING_JDBC -> new SpringLeader(url, ttl);
            case SHEDLOCK -> new ShedLockLeader(url, ttl);
            case CURATOR -> new CuratorLatch(url, ttl);
            case CURATOR_EMBEDDED -> CuratorEmbedded.open(url, ttl);
            case JETCD -> new JetcdElection(url, ttl);
        };
    }
}
