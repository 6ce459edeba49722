package dev.doyen.demo;

import com.fasterxml.jackson.core.JsonFactory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The configuration of the demo page, served as {@code /config.json}.
 *
 * @param channel the channel of the page's tabs, which is also the name of their election
 * @param electorUrl the root URL of the elector, in a form that a browser can open; empty if the browser cannot reach
 *     the elector
 * @param claimTtlMillis the time after which a silent leader is replaced (rule C7)
 * @param sharedUrl the URL of the page for other machines; empty if the demo is not shared
 * @param ownMachine true if only this machine can open the page. The page then links to the console and the quorum
 *     demonstration, which control this machine
 */
public record PageConfig(String channel, String electorUrl, long claimTtlMillis, String sharedUrl, boolean ownMachine) {

    byte[] json() {
        var bytes = new ByteArrayOutputStream();
        try (var json = new JsonFactory().createGenerator(bytes)) {
            json.writeStartObject();
            json.writeStringField("channel", channel);
            json.writeStringField("electorUrl", electorUrl);
            json.writeNumberField("claimTtlMillis", claimTtlMillis);
            json.writeStringField("sharedUrl", sharedUrl);
            json.writeBooleanField("ownMachine", ownMachine);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
