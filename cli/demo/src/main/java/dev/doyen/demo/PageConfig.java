package dev.doyen.demo;

import com.fasterxml.jackson.core.JsonFactory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The configuration of the demo page, served as {@code /config.json}.
 *
 * @param key the hub's key, known to everybody who may open the page
 * @param channel the channel of the page's tabs, which is also the name of their election
 * @param electorUrl the elector's root URL, as a browser can open it
 * @param claimTtlMillis the time after which a silent leader is replaced (rule C7)
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

    /** Omits the key. */
    @Override
    public String toString() {
        return "PageConfig[channel=" + channel + ", electorUrl=" + electorUrl + ", claimTtlMillis=" + claimTtlMillis
                + "]";
    }
}
