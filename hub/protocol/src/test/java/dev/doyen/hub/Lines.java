package dev.doyen.hub;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.hub.content.Extras;
import dev.doyen.hub.wire.Data;
import dev.doyen.hub.wire.Flags;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.PresenceMessage;
import dev.doyen.hub.wire.ProtocolMessage;
import java.util.ArrayList;
import java.util.List;

/** Formats frames as short lines, without the parts that differ between runs. */
final class Lines {

    private Lines() {}

    static String of(ProtocolMessage frame) {
        var parts = new ArrayList<String>(List.of(frame.action().toString()));
        if (frame.channel() != null) {
            parts.add(frame.channel());
        }
        switch (frame.action()) {
            case ACK, NACK -> parts.add("#" + frame.msgSerial());
            case ATTACHED -> flags(parts, frame.flagBits());
            case HEARTBEAT -> {
                if (frame.id() != null) {
                    parts.add(frame.id());
                }
            }
            default -> {}
        }
        if (frame.messages() != null) {
            frame.messages().forEach(message -> parts.add(message(message)));
        }
        if (frame.presence() != null) {
            frame.presence().forEach(presence -> parts.add(presence(presence)));
        }
        if (frame.error() != null) {
            parts.add(frame.error().code() + "/" + frame.error().statusCode() + " "
                    + frame.error().message());
        }
        return String.join(" ", parts);
    }

    private static void flags(List<String> parts, int flags) {
        if ((flags & Flags.RESUMED) != 0) {
            parts.add("resumed");
        }
        if ((flags & Flags.HAS_BACKLOG) != 0) {
            parts.add("backlog");
        }
        if ((flags & Flags.HAS_PRESENCE) != 0) {
            parts.add("presence");
        }
    }

    private static String message(Message message) {
        return "'" + data(message.data()) + "'" + term(message.extras());
    }

    private static String presence(PresenceMessage presence) {
        return presence.action().toString().toLowerCase(java.util.Locale.ROOT) + ":" + presence.clientId() + "'"
                + data(presence.data()) + "'" + term(presence.extras());
    }

    private static String data(Data data) {
        if (data instanceof Data.Text text) {
            return text.text();
        }
        return data instanceof Data.Bytes bytes ? bytes.size() + " bytes" : "";
    }

    private static String term(JsonNode extras) {
        JsonNode term = Extras.term(extras);
        return term == null ? "" : "@" + term.asText();
    }
}
