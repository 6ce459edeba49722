package dev.doyen.stores.quorum;

import java.util.Collection;
import java.util.List;

/**
 * The answer of a process to others that look for their quorum.
 *
 * @param group the quorum it belongs to; empty in a new directory
 * @param founders who founded that quorum; empty in a new directory
 * @param wasMember whether a confirmed list of members had this process
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

    /** All that a new quorum needs: every address of the list, with a new directory. */
    static boolean canFound(Collection<Introduction> all, Collection<String> addresses) {
        return all.size() == addresses.size() && all.stream().allMatch(Introduction::isNew);
    }
}
