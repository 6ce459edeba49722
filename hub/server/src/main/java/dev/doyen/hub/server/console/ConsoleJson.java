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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Builds the state of the hub as JSON for the console page.
 *
 * <p>The size of the JSON is bounded. The JSON contains only the first items of a long list. For channels and members,
 * the JSON also contains the number of all items, and the number of items that match the filter of the viewer.
 */
final class ConsoleJson {

    static final int CHANNELS_SHOWN = 100;

    /** The maximum number of members in all channels of the JSON. If few channels match, each has more members. */
    static final int MEMBERS_SHOWN_IN_ALL = 2_000;

    static final int MAX_MEMBERS_SHOWN = 200;

    /** The maximum number of members that one snapshot compares with the filter. A search runs on the hub's thread. */
    static final int MEMBERS_SEARCHED = 20_000;

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

    /** Returns the state as JSON, with the channels and members that match the filter of the viewer. */
    String of(long nowMillis, HubView hub, ConsoleViewer viewer) {
        var text = new StringWriter();
        try (var json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeNumberField("at", nowMillis);
            json.writeNumberField("connections", hub.counts().connections());
            json.writeNumberField("received", figures.received());
            json.writeNumberField("delivered", figures.delivered());
            json.writeNumberField("refused", figures.refused());
            List<ChannelView> shown = channels(json, hub, viewer);
            if (viewer.filter().isNone()) {
                leaderships.write(json);
            } else {
                Set<String> elections =
                        shown.stream().flatMap(ConsoleJson::electionsOf).collect(Collectors.toSet());
                leaderships.write(json, elections::contains);
            }
            refusals(json, figures.refusals());
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    /** Writes the channels that match the filter, and returns them. */
    private List<ChannelView> channels(JsonGenerator json, HubView hub, ConsoleViewer viewer) throws IOException {
        List<ChannelView> all = hub.channels();
        json.writeNumberField("channelsInAll", all.size());
        json.writeNumberField("membersInAll", hub.counts().members());
        json.writeNumberField(
                "leadersInAll",
                all.stream().filter(channel -> channel.leader().isPresent()).count());
        List<ChannelView> candidates = candidates(all, viewer.filter());
        Map<String, List<MemberView>> matching = new HashMap<>();
        if (viewer.filter().searchesMembers()) {
            json.writeNumberField("membersUnsearched", search(hub, candidates, viewer.filter(), matching));
            candidates.removeIf(channel -> !matching.containsKey(channel.name()));
        }
        json.writeNumberField("channelsFound", candidates.size());
        List<ChannelView> shown = candidates.subList(0, Math.min(CHANNELS_SHOWN, candidates.size()));
        int limit = Math.min(MAX_MEMBERS_SHOWN, MEMBERS_SHOWN_IN_ALL / Math.max(1, shown.size()));
        json.writeArrayFieldStart("channels");
        for (ChannelView channel : shown) {
            List<MemberView> found = matching.get(channel.name());
            json.writeStartObject();
            json.writeStringField("name", channel.name());
            json.writeNumberField("attachments", channel.attachments());
            json.writeNumberField("membersInAll", channel.members());
            json.writeNumberField("membersFound", found == null ? channel.members() : found.size());
            leader(json, channel.leader());
            members(json, found == null ? hub.members(channel.name(), limit) : found, limit);
            elections(json, channel);
            json.writeBooleanField("maySendCommands", viewer.maySendCommands().test(channel.name()));
            json.writeEndObject();
        }
        json.writeEndArray();
        return shown;
    }

    /** Returns the channels whose name and state match the filter, in the order of the console. */
    private List<ChannelView> candidates(List<ChannelView> all, ConsoleFilter filter) {
        Predicate<String> named = filter.ofChannels();
        return all.stream()
                .filter(channel -> named.test(channel.name()) && filter.shows(channel, () -> isPaused(channel)))
                .sorted(BY_INTEREST)
                .collect(Collectors.toCollection(ArrayList::new));
    }

    /**
     * Adds the matching members of the channels to {@code matching}.
     *
     * @return the number of members that were not compared, because of the limit {@value #MEMBERS_SEARCHED}
     */
    private static long search(
            HubView hub, List<ChannelView> channels, ConsoleFilter filter, Map<String, List<MemberView>> matching) {
        Predicate<String> named = filter.ofMembers();
        int left = MEMBERS_SEARCHED;
        long unsearched = 0;
        for (ChannelView channel : channels) {
            int searched = Math.min(left, channel.members());
            left -= searched;
            unsearched += channel.members() - searched;
            List<MemberView> found = hub.members(channel.name(), searched).stream()
                    .filter(member -> named.test(member.clientId()))
                    .toList();
            if (!found.isEmpty()) {
                matching.put(channel.name(), found);
            }
        }
        return unsearched;
    }

    private boolean isPaused(ChannelView channel) {
        return electionsOf(channel).anyMatch(election -> claims.paused(election).isPresent());
    }

    private static Stream<String> electionsOf(ChannelView channel) {
        return channel.slots().stream().map(slot -> slot.electionOn(channel.name()));
    }

    private static void members(JsonGenerator json, List<MemberView> members, int limit) throws IOException {
        json.writeArrayFieldStart("members");
        for (MemberView member : members.subList(0, Math.min(limit, members.size()))) {
            json.writeStartObject();
            json.writeStringField("id", member.clientId());
            json.writeStringField("connection", member.connectionId());
            json.writeBooleanField("leads", member.leads());
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
