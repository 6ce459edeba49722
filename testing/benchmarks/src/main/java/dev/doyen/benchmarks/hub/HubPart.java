package dev.doyen.benchmarks.hub;

import java.util.List;

/** One part of the hub benchmark. Each run of a part measures one server. */
interface HubPart {

    /** Returns the name of the part on the command line. */
    String name();

    /** Returns true if the part measures this peer. */
    default boolean isFor(Peer peer) {
        return !peer.differsInClaimsOnly();
    }

    List<Measured> run(Peer peer, Workload workload) throws Exception;
}
