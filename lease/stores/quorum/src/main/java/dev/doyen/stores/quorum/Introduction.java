package dev.doyen.stores.quorum;

import java.util.Collection;
import java.util.List;

/**
 * The answer of a process to processes that search for their quorum.
 *
 * @param group the id of the quorum of the process; empty in a new directory
 * @param founders the founders of that quorum; empty in a new directory
 * @param wasMember whether a confirmed member list contained the process
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

    /** Returns whether a quorum can be founded. Every address of the list must have answered with a new directory. */
    static boolean canFound(Collection<Introduction> all, Collection<String> addresses) {
        return all.size() == addresses.size() && all.stream().allMatch(Introduction::isNew);
    }
}
