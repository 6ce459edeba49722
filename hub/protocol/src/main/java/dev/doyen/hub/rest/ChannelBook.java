package dev.doyen.hub.rest;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.hub.auth.Access;
import dev.doyen.hub.auth.TokenDetails;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.PresenceMessage;
import dev.doyen.hub.wire.Refusal;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The part of the hub that HTTP requests can use.
 *
 * <p>Channel names are written as in the request. Errors: a {@link Refusal} if a name is invalid, the access does not
 * allow the operation, or the hub cannot perform it.
 */
public interface ChannelBook {

    /** Returns the wall-clock time in milliseconds since the epoch. */
    long nowMillis();

    /**
     * Counts the request for rate limiting. Must be called once, before anything else.
     *
     * <p>This also authenticates the request. Errors: a {@link Refusal} with the time to wait if the caller exceeds its
     * limit.
     *
     * @param publishes whether the request publishes; then this counts its first message
     */
    void admit(RestRequest request, boolean publishes) throws Refusal;

    /** Counts the messages of a request. {@link #admit} has counted the first one. */
    void countPublished(int messages) throws Refusal;

    /** Returns the access that the request's headers grant. */
    Access access(RestRequest request) throws Refusal;

    /** Publishes all messages or none. The result has their ids and serials; on a node it comes later. */
    Later<List<Message>> publish(Access access, Posting posting) throws Refusal;

    Page<Message> messages(Access access, String channel, HistoryQuery query) throws Refusal;

    Page<PresenceMessage> presenceHistory(Access access, String channel, HistoryQuery query) throws Refusal;

    /** Returns members, ordered by connection id and client id. */
    Page<PresenceMessage> members(Access access, String channel, MemberQuery query) throws Refusal;

    ChannelStatus status(Access access, String channel) throws Refusal;

    /**
     * Returns the names of used channels that this access may list, in alphabetical order.
     *
     * @param prefix the start of the names
     * @param after only names after this one; null for the first page
     */
    Page<String> channels(Access access, String prefix, int limit, @Nullable String after);

    /** Issues a token. The key must have signed the request or authenticate it. */
    TokenDetails issue(String keyName, JsonNode wanted, RestRequest request) throws Refusal;

    /**
     * Revokes tokens of a key and disconnects their connections.
     *
     * @param issuedBeforeMillis revoke only tokens that were issued before; empty for all up to now
     * @param margin whether clients are first asked for a new token and have 30 s for it
     */
    Revoked revoke(String keyName, String target, OptionalLong issuedBeforeMillis, boolean margin) throws Refusal;

    /**
     * Result of a revocation. Units: milliseconds since the epoch.
     *
     * @param issuedBefore tokens that were issued before this time are revoked
     * @param appliesAt the time from which they are invalid
     */
    record Revoked(long issuedBefore, long appliesAt) {}

    /** Returns the apps of test suites; null unless the hub is a sandbox. */
    @Nullable
    AppBook apps();
}
