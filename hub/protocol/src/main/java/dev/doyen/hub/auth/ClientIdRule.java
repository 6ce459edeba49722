package dev.doyen.hub.auth;

import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Refusal;

/**
 * Checks client ids. The rule accepts {@link Access#ANYBODY}, although no member has that client id.
 *
 * @param maxLength maximum length in UTF-16 units
 */
public record ClientIdRule(int maxLength) {

    /** Checks a client id. Throws a {@link Refusal} if the id is empty, too long or contains a control character. */
    public void check(String clientId) throws Refusal {
        if (clientId.isEmpty()) {
            throw new Refusal(ErrorCode.BAD_CLIENT_ID, "the client id is empty; leave it out, or name the client");
        }
        if (clientId.length() > maxLength) {
            throw new Refusal(
                    ErrorCode.BAD_CLIENT_ID,
                    "the client id has " + clientId.length() + " characters; at most " + maxLength + " are allowed");
        }
        for (int i = 0; i < clientId.length(); i++) {
            if (Character.isISOControl(clientId.charAt(i))) {
                throw new Refusal(
                        ErrorCode.BAD_CLIENT_ID,
                        "the client id has a control character at position " + i + "; remove it");
            }
        }
    }
}
