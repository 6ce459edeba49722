package dev.doyen.stores.quorum;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Converts a {@link QuorumStatus} to bytes for the network. */
final class StatusBytes {

    private StatusBytes() {}

    static byte[] of(QuorumStatus status) {
        return new ByteSink()
                .all(status.group().stream().toList(), ByteSink::text)
                .text(status.address())
                .number(status.term())
                .longNumber(status.commitIndex())
                .longNumber(status.appliedIndex())
                .all(status.leader().stream().toList(), ByteSink::text)
                .all(status.members(), StatusBytes::writeMember)
                .all(status.problem().stream().toList(), ByteSink::text)
                .bytes();
    }

    static QuorumStatus read(byte[] bytes) {
        var source = new ByteSource(bytes);
        var status = new QuorumStatus(
                optional(source),
                source.text(),
                source.number(),
                source.longNumber(),
                source.longNumber(),
                optional(source),
                source.all(StatusBytes::readMember),
                optional(source));
        source.end();
        return status;
    }

    private static Optional<String> optional(ByteSource source) {
        List<String> values = source.all(ByteSource::text);
        if (values.size() > 1) {
            throw new MalformedBytesException("a field that can be missing has " + values.size() + " values");
        }
        return values.stream().findFirst();
    }

    private static void writeMember(ByteSink sink, QuorumStatus.Member member) {
        sink.text(member.address())
                .flag(member.role() == QuorumStatus.Role.VOTER)
                .flag(member.isLeader())
                .flag(member.isReachable())
                .flag(member.confirmedIndex().isPresent())
                .longNumber(member.confirmedIndex().orElse(0));
    }

    private static QuorumStatus.Member readMember(ByteSource source) {
        String address = source.text();
        QuorumStatus.Role role = source.flag() ? QuorumStatus.Role.VOTER : QuorumStatus.Role.LEARNER;
        boolean isLeader = source.flag();
        boolean isReachable = source.flag();
        boolean isKnown = source.flag();
        long index = source.longNumber();
        return new QuorumStatus.Member(
                address, role, isLeader, isReachable, isKnown ? OptionalLong.of(index) : OptionalLong.empty());
    }
}
