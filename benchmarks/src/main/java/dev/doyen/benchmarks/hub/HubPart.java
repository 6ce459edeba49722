package dev.doyen.benchmarks.hub;

import java.util.List;

/** One part of the run: something that is measured of each peer. */
interface HubPart {

    /** What it is called on the command line. */
    String name();

    /** Whether there is anything to see of a peer. */
    default boolean isFor(Peer peer) {
        return !peer.differsInClaimsOnly();
    }

    List<Measured> run(Peer peer, Scene scene) throws Exception;
}
