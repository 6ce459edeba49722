package dev.doyen.stores.quorum;

import java.util.concurrent.ThreadFactory;

/** The limits, threads and host names that {@link TcpWire} uses. */
record WireSystem(WireLimits limits, ThreadFactory threads, HostNames names) {

    static final WireSystem DEFAULT = new WireSystem(WireLimits.DEFAULT, Thread::new, HostNames.SYSTEM);
}
