package dev.doyen.stores.quorum;

/**
 * A change of members that an operator requests from the leader.
 *
 * @param address the address of the process that becomes a member; for {@link Kind#REMOVE}, the address of the member
 *     to remove
 * @param old the address of the member to replace; empty unless the kind is {@link Kind#REPLACE}
 */
record MemberCommand(Kind kind, String address, String old) {

    enum Kind {
        ADD(1),
        ADD_LEARNER(2),
        REMOVE(3),
        REPLACE(4);

        private final int code;

        Kind(int code) {
            this.code = code;
        }
    }

    byte[] bytes() {
        return new ByteSink().one(kind.code).text(address).text(old).bytes();
    }

    static MemberCommand read(byte[] bytes) {
        var source = new ByteSource(bytes);
        int code = source.one();
        String address = source.text();
        String old = source.text();
        source.end();
        for (Kind each : Kind.values()) {
            if (each.code == code) {
                return new MemberCommand(each, address, old);
            }
        }
        throw new MalformedBytesException("a change of members has the code " + code);
    }
}
