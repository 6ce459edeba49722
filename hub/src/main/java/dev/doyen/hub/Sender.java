package dev.doyen.hub;

import dev.doyen.hub.wire.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * Who publishes: a connection, by a frame or by a request that carries its key; or a request, which speaks for no
 * connection (rule C18).
 *
 * @param connection null if none
 * @param identity of a request without a connection: {@code *} may speak as anybody, null as nobody in particular
 * @param msgSerial of the frame; null if it is a request
 * @param idBase what the ids of messages begin with that come without one
 */
record Sender(
        @Nullable Connection connection,
        @Nullable String identity,
        String idBase,
        @Nullable Long msgSerial) {

    static Sender of(Receipt receipt) {
        return new Sender(receipt.connection, null, receipt.connection.id + ":" + receipt.msgSerial, receipt.msgSerial);
    }

    /** Who speaks when a message names {@code requested}; null for nobody in particular. */
    @Nullable
    String speakingAs(@Nullable String requested, HubSettings settings) throws Refusal {
        return connection == null
                ? ClientIds.resolve("request", identity, requested, settings)
                : ClientIds.resolve(connection, requested, settings);
    }
}
