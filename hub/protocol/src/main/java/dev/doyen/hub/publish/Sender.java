package dev.doyen.hub.publish;

import dev.doyen.hub.auth.ClientIds;
import dev.doyen.hub.channel.Connection;
import dev.doyen.hub.channel.Receipt;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.wire.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * The publisher of messages: a connection, or an HTTP request without one (rule C18).
 *
 * <p>A request that contains a connection's key publishes for that connection.
 *
 * @param connection null for a request without a connection
 * @param identity client id of such a request: {@code *} for any, null for none
 * @param idBase prefix for the ids of messages that have none
 * @param msgSerial the serial of the frame; null for a request
 */
public record Sender(
        @Nullable Connection connection,
        @Nullable String identity,
        String idBase,
        @Nullable Long msgSerial) {

    static Sender of(Receipt receipt) {
        return new Sender(receipt.connection, null, receipt.connection.id + ":" + receipt.msgSerial, receipt.msgSerial);
    }

    /**
     * Returns the client id of a message; null for none.
     *
     * @param requested the client id in the message; null if it names none
     */
    @Nullable
    String speakingAs(@Nullable String requested, HubSettings settings) throws Refusal {
        return connection == null
                ? ClientIds.resolve("request", identity, requested, settings.clientIdRule())
                : ClientIds.resolve("connection", connection.clientId, requested, settings.clientIdRule());
    }
}
