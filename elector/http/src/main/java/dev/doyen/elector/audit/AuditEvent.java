package dev.doyen.elector.audit;

import java.util.Locale;

/** The kinds of records in the audit log. */
public enum AuditEvent {
    /** An allowed sender has sent an admin command. */
    ADMIN_COMMAND,
    /** The program has rejected the sender of an admin command. */
    ADMIN_REJECTED,
    /** A client has sent no credentials, or wrong or revoked credentials. */
    LOGIN_FAILED,
    /** The capability of a client does not allow an operation. */
    NOT_ALLOWED,
    /** A client has exceeded a rate limit. */
    RATE_LIMITED,
    /** A client has reached a quota. */
    QUOTA_EXCEEDED,
    /** The hub has rejected a claim. */
    CLAIM_REJECTED,
    /** The log has left out records, because too many records were due. */
    RECORDS_LEFT_OUT;

    /** Returns the name of the event in the log, such as {@code login_failed}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
