package dev.doyen.benchmarks.server;

import java.nio.file.Path;

/** The kinds of servers that this machine may be able to start. */
public enum ServerKind {
    POSTGRES("PostgreSQL", "transactions (pg_stat_database: xact_commit + xact_rollback)"),
    ZOOKEEPER("ZooKeeper", "packets received, pings included (mntr: zk_packets_received)"),
    ETCD("etcd", "gRPC messages received (metrics: grpc_server_msg_received_total)"),
    QUORUM("three members of a quorum", "commits of the log");

    private final String label;
    private final String counting;

    ServerKind(String label, String counting) {
        this.label = label;
        this.counting = counting;
    }

    public String label() {
        return label;
    }

    /** Describes what counts as a request. */
    public String counting() {
        return counting;
    }

    /** Starts a server with its data in this directory. */
    public Server start(Path data) throws Exception {
        return switch (this) {
            case POSTGRES -> new Postgres(data);
            case ZOOKEEPER -> new ZooKeeperServer(data);
            case ETCD -> new EtcdServer(data);
            case QUORUM -> new QuorumServer(data);
        };
    }
}
