package dev.doyen.benchmarks.hub;

import java.util.List;

/** One part of the hub benchmark. Each run of a part measures one server. */
interface HubPart {

    /** Returns the name of the part on the command line. */
    String name();

    List<Measured> run(Peer peer, Workload workload) throws Exception;
}
