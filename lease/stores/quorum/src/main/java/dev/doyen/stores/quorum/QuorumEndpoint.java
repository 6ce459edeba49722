package dev.doyen.stores.quorum;

import io.microraft.RaftEndpoint;
import java.io.Serializable;

/**
 * The identity of a member in the log.
 *
 * <p>A member that lost its directory returns with another {@code directory}. It then counts as a different member,
 * because it lacks the votes of the old member and the entries that the old member confirmed.
 *
 * @param name the host of the member's address
 * @param address the address {@code host:port} on which the member listens
 * @param directory the random id of the member's directory
 */
record QuorumEndpoint(String name, String address, String directory) implements RaftEndpoint, Serializable {

    private static final long serialVersionUID = 1;

    @Override
    public Object getId() {
        return name + "@" + address + "#" + directory;
    }

    /**
     * Returns a placeholder, which counts as a voter but never answers; see {@link MemberList}.
     *
     * @param reserved the directory id of the learner that will replace the placeholder; empty if no learner will
     *     replace it
     */
    static QuorumEndpoint placeholder(String reserved) {
        return new QuorumEndpoint("", "", reserved);
    }

    boolean isPlaceholder() {
        return address.isEmpty();
    }

    static void write(ByteSink sink, RaftEndpoint endpoint) {
        var member = (QuorumEndpoint) endpoint;
        sink.text(member.name).text(member.address).text(member.directory);
    }

    static QuorumEndpoint read(ByteSource source) {
        return new QuorumEndpoint(source.text(), source.text(), source.text());
    }

    @Override
    public String toString() {
        return name + " at " + address;
    }
}
