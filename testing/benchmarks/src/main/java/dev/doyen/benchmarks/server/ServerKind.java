package dev.doyen.benchmarks.server;

import java.nio.file.Path;

/** The kinds of servers that the benchmarks can start. */
public enum ServerKind {
    POSTGRES("PostgreSQL", "transactions (pg_stat_database: xact_commit + xact_rollback)"),
    ZOOKEEPER("ZooKeeper", "packets received, pings included (mntr: zk_packets_received)"),
    ETCD("etcd", "gRPC messages received (metrics: grpc_server_msg_received_total)"),
    QUORUM("three members of a quorum", "commits of the log"),
    EMBEDDED_QUORUM("quorum in the candidates", "commits of the log; messages between the members are not counted"),
    EMBEDDED_ZOOKEEPER(
            "ZooKeeper in the candidates",
            "packets that the three servers received from their clients, pings included (mntr: zk_packets_received);"
                    + " messages between the servers are not counted");

    private final String label;
    private final String counting;

    ServerKind(String label, String counting) {
        this.label = label;
        this.counting = counting;
    }

    public String label() {
        return label;
    }

    /** Returns a description of the requests that this kind of server counts. */
    public String counting() {
        return counting;
    }

    /** Returns true if the candidates run the server, so that no separate process is necessary. */
    public boolean isEmbedded() {
        return this == EMBEDDED_QUORUM || this == EMBEDDED_ZOOKEEPER;
    }

    /**
     * Starts a server with its data in this directory. For an embedded server, the method only prepares the
     * configuration, and the candidates start the server.
     */
    public Server start(Path data) throws Exception {
        return switch (this) {
            case POSTGRES -> new Postgres(data);
            case ZOOKEEPER -> new ZooKeeperServer(data);
            case ETCD -> new EtcdServer(data);
            case QUORUM -> new QuorumServer(data);
            case EMBEDDED_QUORUM -> new EmbeddedQuorum(data);
            case EMBEDDED_ZOOKEEPER -> new EmbeddedZooKeeper(data);
        };
    }
}
