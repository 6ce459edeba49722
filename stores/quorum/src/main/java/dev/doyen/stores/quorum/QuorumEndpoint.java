package dev.doyen.stores.quorum;

import io.microraft.RaftEndpoint;
import java.io.Serializable;

/**
 * A member as the log knows it. A member that lost its directory comes back with another {@code directory}, and so as
 * another member: it does not know what the lost one had promised.
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
     * A voter that does not exist; see {@link MemberList}.
     *
     * @param reserved the directory of the learner that takes its place; empty if it is reserved for none
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
