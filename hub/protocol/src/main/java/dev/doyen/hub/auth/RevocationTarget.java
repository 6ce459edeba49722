package dev.doyen.hub.auth;

import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import java.util.ArrayList;
import java.util.List;

/** The tokens of one key that have the same client id or revocation key. */
record RevocationTarget(String keyName, Kind kind, String value) {

    enum Kind {
        CLIENT_ID("clientId"),
        REVOCATION_KEY("revocationKey");

        private final String spelling;

        Kind(String spelling) {
            this.spelling = spelling;
        }
    }

    /** Parses {@code clientId:bob} or {@code revocationKey:group-1}. */
    static RevocationTarget read(String keyName, String text) throws Refusal {
        for (Kind kind : Kind.values()) {
            String start = kind.spelling + ":";
            if (text.startsWith(start) && text.length() > start.length()) {
                return new RevocationTarget(keyName, kind, text.substring(start.length()));
            }
        }
        throw new Refusal(
                ErrorCode.BAD_REQUEST,
                "the target " + Quote.of(text) + " is not known; write clientId:NAME or revocationKey:NAME");
    }

    /** Returns the targets to which a token belongs. */
    static List<RevocationTarget> of(Access access) {
        var targets = new ArrayList<RevocationTarget>();
        if (access.clientId() != null) {
            targets.add(new RevocationTarget(access.keyName(), Kind.CLIENT_ID, access.clientId()));
        }
        if (access.revocationKey() != null) {
            targets.add(new RevocationTarget(access.keyName(), Kind.REVOCATION_KEY, access.revocationKey()));
        }
        return targets;
    }

    @Override
    public String toString() {
        return kind.spelling + ":" + value;
    }
}
