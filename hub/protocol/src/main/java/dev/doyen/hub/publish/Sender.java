package dev.doyen.hub.publish;

import dev.doyen.hub.auth.ClientIds;
import dev.doyen.hub.channel.Connection;
import dev.doyen.hub.channel.Receipt;
import dev.doyen.hub.quota.Usage;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.wire.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * The publisher of messages: a connection, or a request without a connection (rule C18).
 *
 * <p>A request that contains a connection's key publishes for that connection.
 *
 * @param connection the connection; null for a request without a connection
 * @param identity the client id of a request without a connection: {@code *} if every client id is allowed, null if
 *     there is none
 * @param usage the accounts that count the channels that the publisher creates
 * @param idBase the prefix for the ids of messages that have no id
 * @param msgSerial the serial of the frame; null for a request
 */
public record Sender(
        @Nullable Connection connection,
        @Nullable String identity,
        Usage usage,
        String idBase,
        @Nullable Long msgSerial) {

    static Sender of(Receipt receipt) {
        return new Sender(
                receipt.connection,
                null,
                receipt.connection.usage,
                receipt.connection.id + ":" + receipt.msgSerial,
                receipt.msgSerial);
    }

    /**
     * Returns the client id of a message, or null if the message has none.
     *
     * @param requested the client id in the message; null if the message names none
     */
    @Nullable
    String resolveClientId(@Nullable String requested, HubSettings settings) throws Refusal {
        return connection == null
                ? ClientIds.resolve("request", identity, requested, settings.clientIdRule())
                : ClientIds.resolve("connection", connection.clientId, requested, settings.clientIdRule());
    }
}
