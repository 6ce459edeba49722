package dev.doyen.server.console;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.doyen.hub.ChannelView;
import dev.doyen.hub.MemberView;
import dev.doyen.server.websocket.HubLook;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.List;

/** One look at the hub, as the console's page reads it. Bounded: of what is too much only the number is told. */
final class ConsoleJson {

    static final int CHANNELS_SHOWN = 100;
    static final int MEMBERS_SHOWN = 20;
    static final int REIGNS_SHOWN = 300;

    private static final JsonFactory JSON = new JsonFactory();

    /** Busy channels first, and those with a leader before those without. */
    private static final Comparator<ChannelView> BY_INTEREST = Comparator.comparing(
                    (ChannelView channel) -> channel.leader().isEmpty())
            .thenComparing(Comparator.comparingInt(ChannelView::members).reversed())
            .thenComparing(Comparator.comparingInt(ChannelView::attachments).reversed())
            .thenComparing(ChannelView::name);

    private ConsoleJson() {}

    static String of(long nowMillis, HubLook hub, Figures figures, Reigns reigns) {
        var text = new StringWriter();
        try (var json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeNumberField("at", nowMillis);
            json.writeNumberField("connections", hub.connections());
            json.writeNumberField("received", figures.received());
            json.writeNumberField("delivered", figures.delivered());
            json.writeNumberField("refused", figures.refused());
            channels(json, hub);
            reigns(json, reigns.latest(REIGNS_SHOWN));
            refusals(json, figures.refusals());
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static void channels(JsonGenerator json, HubLook hub) throws IOException {
        List<ChannelView> all = hub.channels();
        json.writeNumberField("channelsInAll", all.size());
        json.writeNumberField(
                "membersInAll", all.stream().mapToLong(ChannelView::members).sum());
        json.writeNumberField(
                "leadersInAll",
                all.stream().filter(channel -> channel.leader().isPresent()).count());
        json.writeArrayFieldStart("channels");
        List<ChannelView> shown =
                all.stream().sorted(BY_INTEREST).limit(CHANNELS_SHOWN).toList();
        for (ChannelView channel : shown) {
            json.writeStartObject();
            json.writeStringField("name", channel.name());
            json.writeNumberField("attachments", channel.attachments());
            json.writeNumberField("membersInAll", channel.members());
            if (channel.leader().isPresent()) {
                json.writeObjectFieldStart("leader");
                json.writeStringField("id", channel.leader().get().id());
                json.writeNumberField("term", channel.leader().get().term());
                json.writeEndObject();
            }
            json.writeArrayFieldStart("members");
            for (MemberView member : hub.members(channel.name(), MEMBERS_SHOWN)) {
                json.writeStartObject();
                json.writeStringField("id", member.clientId());
                json.writeStringField("connection", member.connectionId());
                json.writeBooleanField("leads", member.leads());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void reigns(JsonGenerator json, List<Reign> reigns) throws IOException {
        json.writeArrayFieldStart("reigns");
        for (Reign reign : reigns) {
            json.writeStartObject();
            json.writeStringField("election", reign.election());
            json.writeStringField("id", reign.id());
            json.writeNumberField("term", reign.term());
            json.writeNumberField("from", reign.fromMillis());
            if (reign.toMillis().isPresent()) {
                json.writeNumberField("to", reign.toMillis().getAsLong());
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void refusals(JsonGenerator json, List<Refused> refusals) throws IOException {
        json.writeArrayFieldStart("refusals");
        for (Refused refused : refusals) {
            json.writeStartObject();
            json.writeNumberField("at", refused.atMillis());
            if (refused.clientId() != null) {
                json.writeStringField("client", refused.clientId());
            }
            if (refused.channel() != null) {
                json.writeStringField("channel", refused.channel());
            }
            json.writeNumberField("code", refused.code());
            json.writeStringField("sentence", refused.sentence());
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
