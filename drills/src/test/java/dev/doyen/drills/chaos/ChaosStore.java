package dev.doyen.drills.chaos;

import dev.doyen.drills.Postgres;
import dev.doyen.drills.ProcessStore;
import dev.doyen.drills.StoreServer;
import java.util.Arrays;
import java.util.Optional;

/** The stores that a chaos test can run on. */
enum ChaosStore {
    POSTGRES("postgres", false),
    POSTGRES_SESSION("postgres-session", true),
    ZOOKEEPER("zookeeper", false),
    REDIS("redis", false),
    KUBERNETES("kubernetes", false);

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

    /** As the command line calls it. */
    String argument() {
        return argument;
    }

    /** True if all elections of a process share one session, false if each has its own lease. */
    boolean sharedSession() {
        return sharedSession;
    }

    StoreServer start() throws Exception {
        return switch (this) {
            case POSTGRES, POSTGRES_SESSION -> new Postgres();
            case ZOOKEEPER -> ProcessStore.zooKeeper();
            case REDIS -> ProcessStore.redis();
            case KUBERNETES -> ProcessStore.kubernetes();
        };
    }
}
