package dev.doyen.server.http;

import com.fasterxml.jackson.core.JsonFactory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * What the demo page needs to know, served as {@code /config.json}.
 *
 * @param key the hub's key: a secret of all who may open the page
 * @param channel where the page's tabs meet, and the name of their election
 * @param electorUrl the elector's root, as a reader of the page would open it
 * @param claimTtlMillis how soon a silent leader is replaced (rule C7)
 */
public record PageConfig(String key, String channel, String electorUrl, long claimTtlMillis) {

    byte[] json() {
        var bytes = new ByteArrayOutputStream();
        try (var json = new JsonFactory().createGenerator(bytes)) {
            json.writeStartObject();
            json.writeStringField("key", key);
            json.writeStringField("channel", channel);
            json.writeStringField("electorUrl", electorUrl);
            json.writeNumberField("claimTtlMillis", claimTtlMillis);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** Without the key. */
    @Override
    public String toString() {
        return "PageConfig[channel=" + channel + ", electorUrl=" + electorUrl + ", claimTtlMillis=" + claimTtlMillis
                + "]";
    }
}
