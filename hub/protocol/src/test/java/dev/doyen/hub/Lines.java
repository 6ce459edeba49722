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

/** Formats frames as short lines, without what differs between runs. */
final class Lines {

    private Lines() {}

    static String of(ProtocolMessage frame) {
        var words = new ArrayList<String>(List.of(frame.action().toString()));
        if (frame.channel() != null) {
            words.add(frame.channel());
        }
        switch (frame.action()) {
            case ACK, NACK -> words.add("#" + frame.msgSerial());
            case ATTACHED -> flags(words, frame.flagBits());
            case HEARTBEAT -> {
                if (frame.id() != null) {
                    words.add(frame.id());
                }
            }
            default -> {}
        }
        if (frame.messages() != null) {
            frame.messages().forEach(message -> words.add(message(message)));
        }
        if (frame.presence() != null) {
            frame.presence().forEach(presence -> words.add(presence(presence)));
        }
        if (frame.error() != null) {
            words.add(frame.error().code() + "/" + frame.error().statusCode() + " "
                    + frame.error().message());
        }
        return String.join(" ", words);
    }

    private static void flags(List<String> words, int flags) {
        if ((flags & Flags.RESUMED) != 0) {
            words.add("resumed");
        }
        if ((flags & Flags.HAS_BACKLOG) != 0) {
            words.add("backlog");
        }
        if ((flags & Flags.HAS_PRESENCE) != 0) {
            words.add("presence");
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
