package dev.doyen.hub.server.console;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.doyen.elector.console.LeadershipLog;
import dev.doyen.event.Leader;
import dev.doyen.hub.channel.ChannelView;
import dev.doyen.hub.channel.MemberView;
import dev.doyen.hub.server.claims.Claims;
import dev.doyen.hub.server.websocket.HubView;
import dev.doyen.hub.settings.Slot;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Builds the state of the hub as JSON for the console page.
 *
 * <p>The size of the JSON is bounded. The JSON contains only the first items of a long list. For channels and members,
 * the JSON also contains the number of all items.
 */
final class ConsoleJson {

    static final int CHANNELS_SHOWN = 100;
    static final int MEMBERS_SHOWN = 20;
    static final int ELECTIONS_SHOWN = 20;

    private static final JsonFactory JSON = new JsonFactory();

    /**
     * Sorts channels with a leader before all other channels. The further criteria are the number of members and the
     * number of attachments, with the largest number first, and then the name.
     */
    private static final Comparator<ChannelView> BY_INTEREST = Comparator.comparing(
                    (ChannelView channel) -> channel.leader().isEmpty())
            .thenComparing(Comparator.comparingInt(ChannelView::members).reversed())
            .thenComparing(Comparator.comparingInt(ChannelView::attachments).reversed())
            .thenComparing(ChannelView::name);

    private final Figures figures;
    private final LeadershipLog leaderships;
    private final Claims claims;

    ConsoleJson(Figures figures, LeadershipLog leaderships, Claims claims) {
        this.figures = figures;
        this.leaderships = leaderships;
        this.claims = claims;
    }

    /**
     * Returns the state as JSON.
     *
     * @param maySendCommands true if the viewer may send admin commands for the elections of a channel
     */
    String of(long nowMillis, HubView hub, Predicate<String> maySendCommands) {
        var text = new StringWriter();
        try (var json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeNumberField("at", nowMillis);
            json.writeNumberField("connections", hub.counts().connections());
            json.writeNumberField("received", figures.received());
            json.writeNumberField("delivered", figures.delivered());
            json.writeNumberField("refused", figures.refused());
            channels(json, hub, maySendCommands);
            leaderships.write(json);
            refusals(json, figures.refusals());
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private void channels(JsonGenerator json, HubView hub, Predicate<String> maySendCommands) throws IOException {
        List<ChannelView> all = hub.channels();
        json.writeNumberField("channelsInAll", all.size());
        json.writeNumberField("membersInAll", hub.counts().members());
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
            leader(json, channel.leader());
            json.writeArrayFieldStart("members");
            for (MemberView member : hub.members(channel.name(), MEMBERS_SHOWN)) {
                json.writeStartObject();
                json.writeStringField("id", member.clientId());
                json.writeStringField("connection", member.connectionId());
                json.writeBooleanField("leads", member.leads());
                json.writeEndObject();
            }
            json.writeEndArray();
            elections(json, channel);
            json.writeBooleanField("maySendCommands", maySendCommands.test(channel.name()));
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** Writes the elections of the channel's slots. The list omits elections that the elector API does not contain. */
    private void elections(JsonGenerator json, ChannelView channel) throws IOException {
        json.writeArrayFieldStart("elections");
        int shown = 0;
        for (Slot slot : channel.slots()) {
            var election = claims.elections().find(slot.electionOn(channel.name()));
            if (election.isPresent() && shown++ < ELECTIONS_SHOWN) {
                json.writeStartObject();
                json.writeStringField("name", election.get().name());
                json.writeStringField("slot", slot.toString());
                leader(json, election.get().leader());
                var paused = claims.paused(election.get().name());
                if (paused.isPresent()) {
                    json.writeStringField("paused", paused.get());
                }
                json.writeEndObject();
            }
        }
        json.writeEndArray();
    }

    private static void leader(JsonGenerator json, Optional<Leader> leader) throws IOException {
        if (leader.isPresent()) {
            json.writeObjectFieldStart("leader");
            json.writeStringField("id", leader.get().id());
            json.writeNumberField("term", leader.get().term());
            json.writeEndObject();
        }
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
