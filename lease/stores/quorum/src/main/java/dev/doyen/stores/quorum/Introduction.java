package dev.doyen.stores.quorum;

import java.util.Collection;
import java.util.List;

/**
 * A process's answer to another process that searches for a quorum.
 *
 * @param group the id of the answering process's quorum; empty in a new directory
 * @param founders the founders of that quorum; empty in a new directory
 * @param wasMember true if a confirmed member list contained the answering process
 */
record Introduction(QuorumEndpoint self, String group, List<QuorumEndpoint> founders, boolean wasMember) {

    Introduction {
        founders = List.copyOf(founders);
    }

    boolean isNew() {
        return group.isEmpty();
    }

    byte[] bytes() {
        var sink = new ByteSink();
        QuorumEndpoint.write(sink, self);
        return sink.text(group)
                .all(founders, QuorumEndpoint::write)
                .flag(wasMember)
                .bytes();
    }

    static Introduction read(byte[] bytes) {
        var source = new ByteSource(bytes);
        var read = new Introduction(
                QuorumEndpoint.read(source), source.text(), source.all(QuorumEndpoint::read), source.flag());
        source.end();
        return read;
    }

    /**
     * Returns true if a quorum may be founded. The processes at all addresses must have answered, and all their
     * directories must be new.
     */
    static boolean canFound(Collection<Introduction> all, Collection<String> addresses) {
        return all.size() == addresses.size() && all.stream().allMatch(Introduction::isNew);
    }
}
