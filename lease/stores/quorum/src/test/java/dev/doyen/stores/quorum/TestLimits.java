package dev.doyen.stores.quorum;

import java.time.Duration;
import java.util.concurrent.ThreadFactory;

/** The limits of a wire in tests. A test changes only the limits that it examines. */
final class TestLimits {

    Duration proof = Duration.ofHours(1);
    Duration keepAlive = Duration.ofHours(1);
    Duration silence = Duration.ofHours(1);
    Duration ownName = Duration.ZERO;
    Duration reconnect = Duration.ofMillis(1);
    int incoming = 100;
    int unproved = 100;
    int queuedFrames = 10_000;
    int queuedBytes = 64 << 20;

    WireLimits made() {
        return new WireLimits(
                Duration.ofSeconds(60),
                reconnect,
                proof,
                keepAlive,
                silence,
                ownName,
                incoming,
                unproved,
                queuedFrames,
                queuedBytes);
    }

    /** Returns these limits with the threads and host names of the operating system. */
    WireSystem system() {
        return new WireSystem(made(), Thread::new, HostNames.SYSTEM);
    }

    WireSystem system(ThreadFactory threads) {
        return new WireSystem(made(), threads, HostNames.SYSTEM);
    }
}
