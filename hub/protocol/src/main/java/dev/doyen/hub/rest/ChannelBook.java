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
 * The part of the hub that HTTP requests use.
 *
 * <p>Callers pass each channel name unchanged from the request. The methods throw a {@link Refusal} if a name is
 * invalid, the access does not allow the operation, or the hub cannot perform the operation.
 */
public interface ChannelBook {

    /** Returns the wall-clock time in milliseconds since the epoch. */
    long nowMillis();

    /**
     * Counts the request for rate limiting. The caller must call this method once for each request, before any other
     * method.
     *
     * <p>This method also authenticates the request. If the client exceeds its limit, the method throws a
     * {@link Refusal} with the time to wait. It does not throw for missing or wrong credentials; {@link #access} does.
     *
     * @param publishes true if the request publishes; this method then counts the first message
     */
    void admit(RestRequest request, boolean publishes) throws Refusal;

    /**
     * Counts all messages that a request publishes except the first, which {@link #admit} has counted.
     *
     * @param messages the number of all messages, including the first
     */
    void countPublished(int messages) throws Refusal;

    /** Returns the access that the request's headers grant. */
    Access access(RestRequest request) throws Refusal;

    /**
     * Publishes all messages or none. The result contains the ids and serials of the messages. If the hub consists of
     * several nodes, the result completes later.
     */
    Later<List<Message>> publish(Access access, Posting posting) throws Refusal;

    Page<Message> messages(Access access, String channel, HistoryQuery query) throws Refusal;

    Page<PresenceMessage> presenceHistory(Access access, String channel, HistoryQuery query) throws Refusal;

    /** Returns members in the order of connection id and client id. */
    Page<PresenceMessage> members(Access access, String channel, MemberQuery query) throws Refusal;

    ChannelStatus status(Access access, String channel) throws Refusal;

    /**
     * Returns the names of used channels that this access may list, in alphabetical order.
     *
     * @param prefix the start of the names
     * @param after the name after which the result starts; null for the first page
     */
    Page<String> channels(Access access, String prefix, int limit, @Nullable String after);

    /** Issues a token. The body must be signed with the key, or the request must contain the key. */
    TokenDetails issue(String keyName, JsonNode body, RestRequest request) throws Refusal;

    /**
     * Revokes tokens of a key. Call {@link #applyRevocations} after the last target of a request.
     *
     * @param issuedBeforeMillis the time before which the revoked tokens were issued; empty for all tokens that exist
     *     now
     * @param margin true if the hub first requests new tokens from the clients and gives them 30 s
     */
    Revoked revoke(String keyName, String target, OptionalLong issuedBeforeMillis, boolean margin) throws Refusal;

    /** Stores the revocations of this request, and disconnects the connections whose tokens are invalid now. */
    void applyRevocations();

    /**
     * The result of a revocation. Times are in milliseconds since the epoch.
     *
     * @param issuedBefore the time before which the revoked tokens were issued
     * @param appliesAt the time from which the tokens are invalid
     */
    record Revoked(long issuedBefore, long appliesAt) {}

    /** Returns the apps of test suites, or null if the hub is not a sandbox. */
    @Nullable
    AppBook apps();
}
