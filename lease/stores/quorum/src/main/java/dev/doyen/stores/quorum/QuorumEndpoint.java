package dev.doyen.stores.quorum;

import io.microraft.RaftEndpoint;
import java.io.Serializable;

/**
 * The identity of a member in the log.
 *
 * <p>A member that lost its directory returns with another {@code directory}, so it is a different member. It does not
 * know the votes and entries that the lost one had confirmed.
 *
 * @param name the member's id in the configuration
 * @param address {@code host:port}, where the member listens
 * @param directory the random id of the member's directory
 */
record QuorumEndpoint(String name, String address, String directory) implements RaftEndpoint, Serializable {

    private static final long serialVersionUID = 1;

    @Override
    public Object getId() {
        return name + "@" + address + "#" + directory;
    }

    /**
     * Returns a voter that does not exist; see {@link MemberList}.
     *
     * @param reserved the directory of the learner that will replace it; empty if it is not reserved
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
