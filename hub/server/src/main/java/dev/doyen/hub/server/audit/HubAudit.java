package dev.doyen.hub.server.audit;

import dev.doyen.elector.audit.AuditEvent;
import dev.doyen.elector.audit.AuditLog;
import dev.doyen.elector.audit.AuditRecord;
import dev.doyen.hub.auth.ClientIdentity;
import dev.doyen.hub.server.websocket.HubTap;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.ErrorInfo;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Records failed logins, forbidden operations, rejected claims and exceeded limits.
 *
 * <p>Threads: the hub's thread.
 */
public final class HubAudit implements HubTap {

    private static final Map<Integer, AuditEvent> EVENTS = events();

    private final AuditLog log;

    /** Creates an observer that writes to {@code log}. The observer does not close the log. */
    public HubAudit(AuditLog log) {
        this.log = log;
    }

    @Override
    public void rejectedRequest(String address, ErrorInfo error) {
        rejected(ClientIdentity.UNKNOWN, address, null, error);
    }

    @Override
    public void rejected(ClientIdentity client, String address, @Nullable String channel, ErrorInfo error) {
        eventOf(error)
                .ifPresent(event -> log.write(AuditRecord.of(event)
                        .with("key", client.keyName())
                        .with("token", client.tokenId().orElse(null))
                        .with("client_id", client.clientId().orElse(null))
                        .with("address", address)
                        .with("channel", channel)
                        .with("code", error.code())
                        .with("message", error.message())));
    }

    /** Returns the event that the log records for a rejection; empty if it records none. Threads: any. */
    public static Optional<AuditEvent> eventOf(ErrorInfo error) {
        // The code of an unknown key is also the code of an unknown path, which is no failed login.
        boolean isUnknownPath = error.code() == ErrorCode.UNKNOWN_KEY.code()
                && error.statusCode() != ErrorCode.UNKNOWN_KEY.statusCode();
        return isUnknownPath ? Optional.empty() : Optional.ofNullable(EVENTS.get(error.code()));
    }

    private static Map<Integer, AuditEvent> events() {
        var events = new HashMap<Integer, AuditEvent>();
        for (ErrorCode code : ErrorCode.values()) {
            AuditEvent event = switch (code) {
                case BAD_CREDENTIALS,
                        INCOMPATIBLE_CREDENTIALS,
                        TIMESTAMP_NOT_CURRENT,
                        NONCE_USED,
                        TOKEN_REVOKED,
                        TOKEN_UNKNOWN,
                        TOKEN_INVALID,
                        UNKNOWN_KEY -> AuditEvent.LOGIN_FAILED;
                case NOT_ALLOWED, NOT_FROM_HERE -> AuditEvent.NOT_ALLOWED;
                case RATE_LIMITED -> AuditEvent.RATE_LIMITED;
                case QUOTA_EXCEEDED -> AuditEvent.QUOTA_EXCEEDED;
                case CLAIM_HELD, FENCED -> AuditEvent.CLAIM_REJECTED;
                default -> null;
            };
            if (event != null) {
                events.put(code.code(), event);
            }
        }
        return Map.copyOf(events);
    }
}
