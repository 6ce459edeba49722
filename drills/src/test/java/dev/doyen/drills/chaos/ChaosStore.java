package dev.doyen.drills.chaos;

import dev.doyen.drills.Postgres;
import dev.doyen.drills.ProcessStore;
import dev.doyen.drills.StoreServer;
import java.util.Arrays;
import java.util.Optional;

/** The stores that a chaos test can run on. */
enum ChaosStore {
    POSTGRES("postgres", false, Postgres::new),
    POSTGRES_SESSION("postgres-session", true, Postgres::new),
    ZOOKEEPER("zookeeper", false, ProcessStore::zooKeeper),
    REDIS("redis", false, ProcessStore::redis),
    KUBERNETES("kubernetes", false, ProcessStore::kubernetes);

    private final String argument;
    private final boolean sharedSession;
    private final Starter starter;

    private interface Starter {
        StoreServer start() throws Exception;
    }

    ChaosStore(String argument, boolean sharedSession, Starter starter) {
        this.argument = argument;
        this.sharedSession = sharedSession;
        this.starter = starter;
    }

    static Optional<ChaosStore> of(String argument) {
        return Arrays.stream(values())
                .filter(each -> each.argument.equals(argument))
                .findFirst();
    }

    /** As the command line calls it. */
    String argument() {
        return argument;
    }

    /** True if all elections of a process share one session, false if each has its own lease. */
    boolean sharedSession() {
        return sharedSession;
    }

    StoreServer start() throws Exception {
        return starter.start();
    }
}
