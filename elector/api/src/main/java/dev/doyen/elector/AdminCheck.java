package dev.doyen.elector;

import java.util.Optional;

/**
 * The result of the check whether a request may send admin commands.
 *
 * @param admin the name of the sender in the log and in the lease record, such as {@code the key "shop.server"}; empty
 *     if the request is rejected
 * @param refusal the reason to reject the request, as a sentence without any secret; empty if the request is accepted
 */
public record AdminCheck(String admin, Optional<String> refusal) {

    /** Accepts the request of the sender with this name. */
    public static AdminCheck accepted(String admin) {
        return new AdminCheck(admin, Optional.empty());
    }

    /** Rejects the request with this reason. */
    public static AdminCheck rejected(String reason) {
        return new AdminCheck("", Optional.of(reason));
    }
}
