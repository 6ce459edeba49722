package dev.doyen.stores.quorum;

import java.util.concurrent.ThreadFactory;

/** What {@link TcpWire} takes from its surroundings. */
record WireSystem(WireLimits limits, ThreadFactory threads, HostNames names) {

    static final WireSystem DEFAULT = new WireSystem(WireLimits.DEFAULT, Thread::new, HostNames.SYSTEM);
}
