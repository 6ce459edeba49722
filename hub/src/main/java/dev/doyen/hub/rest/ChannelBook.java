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
 * What the hub answers requests from: its channels as they are at one moment. Channels are named as the request spells
 * them.
 *
 * <p>Errors: a {@link Refusal} for who asked, if a name breaks the rules or something is not to be had.
 */
public interface ChannelBook {

    /** The time, in milliseconds since the epoch. */
    long nowMillis();

    /**
     * Counts the request, once, before anything is done for it; a {@link Refusal} with what to wait for if whoever asks
     * asks too fast. What its headers prove, or that they prove nothing, is found out by this.
     *
     * @param publishes whether it is to publish: then it counts as the first of its messages
     */
    void admit(RestRequest request, boolean publishes) throws Refusal;

    /** Counts the messages that the request is about to publish, the first of which {@link #admit} has counted. */
    void countPublished(int messages) throws Refusal;

    /** What the request's headers prove. */
    Access access(RestRequest request) throws Refusal;

    /** Publishes all or nothing, and returns the messages with their ids and serials: now, or when all nodes know them. */
    Later<List<Message>> publish(Access access, Posting posting) throws Refusal;

    Page<Message> messages(Access access, String channel, HistoryQuery query) throws Refusal;

    Page<PresenceMessage> presenceHistory(Access access, String channel, HistoryQuery query) throws Refusal;

    /** Who is present, in the order of connections and client ids. */
    Page<PresenceMessage> members(Access access, String channel, MemberQuery query) throws Refusal;

    ChannelStatus status(Access access, String channel) throws Refusal;

    /**
     * The names of the channels that somebody uses and this access may know of, of those that begin like this, in order,
     * from the one after {@code after}.
     */
    Page<String> channels(Access access, String prefix, int limit, @Nullable String after);

    /** A token for what is asked for, signed by the key or with the key in the request's header. */
    TokenDetails issue(String keyName, JsonNode wanted, RestRequest request) throws Refusal;

    /**
     * Revokes tokens of a key that name this target, and ends the connections that were made with them.
     *
     * @param issuedBeforeMillis those issued before; empty for all up to now
     * @param margin whether those who have them are asked for others first, and given half a minute for it
     */
    Revoked revoke(String keyName, String target, OptionalLong issuedBeforeMillis, boolean margin) throws Refusal;

    /**
     * What became of a revocation, in milliseconds since the epoch.
     *
     * @param issuedBefore before when those were issued that are revoked
     * @param appliesAt from when on they are no longer good
     */
    record Revoked(long issuedBefore, long appliesAt) {}

    /** The apps of test suites; null unless the hub is a sandbox. */
    @Nullable
    AppBook apps();
}
