package dev.doyen.hub.auth;

import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Refusal;

/**
 * What may be a client's id. {@link Access#ANYBODY} is an identity too, though never a member's.
 *
 * @param maxLength in UTF-16 units
 */
public record ClientIdRule(int maxLength) {

    /** Errors: a {@link Refusal} that says what is wrong with it. */
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
