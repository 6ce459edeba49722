package dev.doyen.stores.quorum;

import io.microraft.exception.RaftException;
import io.microraft.impl.RaftNodeImpl;
import io.microraft.model.message.InstallSnapshotRequest;
import io.microraft.model.message.RaftMessage;
import java.lang.System.Logger.Level;

/**
 * Passes the messages of other members to MicroRaft, and corrects messages that MicroRaft cannot process. Threads:
 * the Raft thread.
 */
final class IncomingMessages {

    private static final System.Logger LOG = System.getLogger("dev.doyen.stores.quorum");

    private final RaftNodeImpl node;
    private final SnapshotBoundary boundary;
    private final SnapshotInstallation installation;

    IncomingMessages(RaftNodeImpl node, SnapshotBoundary boundary) {
        this.node = node;
        this.boundary = boundary;
        this.installation = new SnapshotInstallation(node);
    }

    void handle(RaftMessage message) {
        if (message instanceof InstallSnapshotRequest request) {
            install(request);
        } else {
            node.handle(boundary.arrived(message, node.getTerm().getTerm()));
        }
    }

    private void install(InstallSnapshotRequest request) {
        try {
            installation.handle(request);
        } catch (RaftException e) {
            // The journal has logged the reason, and this member stops.
            LOG.log(Level.DEBUG, "the snapshot was not installed", e);
        }
    }
}
