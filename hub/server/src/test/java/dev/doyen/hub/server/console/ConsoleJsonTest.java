package dev.doyen.hub.server.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.doyen.elector.ElectionView;
import dev.doyen.elector.console.LeadershipLog;
import dev.doyen.event.Leader;
import dev.doyen.hub.HubCounts;
import dev.doyen.hub.channel.ChannelView;
import dev.doyen.hub.channel.MemberView;
import dev.doyen.hub.server.claims.StrictClaims;
import dev.doyen.hub.server.console.ConsoleFilter.Show;
import dev.doyen.hub.server.websocket.HubView;
import dev.doyen.hub.settings.Slot;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests which channels and members the console shows of a hub with many of them. */
class ConsoleJsonTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int CHANNELS = 1_000;
    private static final int CROWD = 1_000;

    private final LeadershipLog leaderships = new LeadershipLog(2);

    /** Channel c7 has a leader, channel c0 has {@value #CROWD} members, and every other channel has two members. */
    private final List<ChannelView> channels = IntStream.range(0, CHANNELS)
            .mapToObj(i -> new ChannelView(
                    "c" + i,
                    1,
                    i == 0 ? CROWD : 2,
                    List.of(Slot.LEADER),
                    i == 7 ? Map.of(Slot.LEADER, new Leader("ann", 5)) : Map.of()))
            .toList();

    @Test
    void without_a_filter_the_first_channels_are_listed_with_the_totals() throws Exception {
        JsonNode seen = seen(ConsoleFilter.NONE);

        assertThat(seen.path("channelsInAll").asInt()).isEqualTo(CHANNELS);
        assertThat(seen.path("channelsFound").asInt()).isEqualTo(CHANNELS);
        assertThat(seen.path("membersInAll").asInt()).isEqualTo(CROWD + 2 * (CHANNELS - 1));
        assertThat(seen.path("leadersInAll").asInt()).isEqualTo(1);
        assertThat(seen.has("membersUnsearched")).isFalse();
        assertThat(seen.path("channels")).hasSize(ConsoleJson.CHANNELS_SHOWN);
        assertThat(seen.at("/channels/0/name").asText())
                .as("channels with a leader come first")
                .isEqualTo("c7");
        assertThat(seen.at("/channels/0/leader/term").asInt()).isEqualTo(5);
        assertThat(seen.at("/channels/1/name").asText()).isEqualTo("c0");
        assertThat(seen.at("/channels/1/members")).hasSize(20);
        assertThat(seen.at("/channels/1/membersInAll").asInt()).isEqualTo(CROWD);
        assertThat(seen.at("/channels/2/members/0").toString())
                .isEqualTo("{\"id\":\"c1-m0\",\"connection\":\"x\",\"leads\":false}");
    }

    @Test
    void a_text_selects_channels_by_a_part_of_the_name() throws Exception {
        JsonNode seen = seen(new ConsoleFilter("C99", "", Show.ALL));

        assertThat(seen.path("channels").findValuesAsText("name")).hasSize(11).contains("c99", "c990", "c999");
        assertThat(seen.path("channelsFound").asInt()).isEqualTo(11);
        assertThat(seen.path("channelsInAll").asInt()).isEqualTo(CHANNELS);
    }

    @Test
    void a_single_channel_shows_more_members() throws Exception {
        JsonNode channel = seen(new ConsoleFilter("c0", "", Show.ALL)).at("/channels/0");

        assertThat(channel.path("members")).hasSize(ConsoleJson.MAX_MEMBERS_SHOWN);
        assertThat(channel.path("membersFound").asInt()).isEqualTo(CROWD);
    }

    @Test
    void a_text_selects_members_and_the_channels_that_have_them() throws Exception {
        JsonNode seen = seen(new ConsoleFilter("", "c0 M77", Show.ALL));

        assertThat(seen.path("channels")).hasSize(1);
        assertThat(seen.at("/channels/0/members").findValuesAsText("id"))
                .as("a space matches a hyphen")
                .contains("c0-m77", "c0-m770", "c0-m779")
                .hasSize(11);
        assertThat(seen.at("/channels/0/membersFound").asInt()).isEqualTo(11);
        assertThat(seen.at("/channels/0/membersInAll").asInt()).isEqualTo(CROWD);
        assertThat(seen.path("membersUnsearched").asInt()).isZero();
    }

    @Test
    void one_snapshot_searches_a_limited_number_of_members() throws Exception {
        var huge = new ChannelView("huge", 1, ConsoleJson.MEMBERS_SEARCHED - 100, List.of(Slot.LEADER), Map.of());
        var next = new ChannelView("next", 1, 300, List.of(Slot.LEADER), Map.of());

        JsonNode seen = seen(new ConsoleFilter("", "m", Show.ALL), List.of(huge, next));

        assertThat(seen.path("membersUnsearched").asInt()).isEqualTo(200);
        assertThat(seen.at("/channels/1/membersFound").asInt()).isEqualTo(100);
    }

    @Test
    void channels_are_selected_by_their_leader() throws Exception {
        assertThat(seen(new ConsoleFilter("", "", Show.LED)).path("channels").findValuesAsText("name"))
                .containsExactly("c7");
        assertThat(seen(new ConsoleFilter("", "", Show.VACANT))
                        .path("channelsFound")
                        .asInt())
                .isEqualTo(CHANNELS - 1);
        assertThat(seen(new ConsoleFilter("", "", Show.PAUSED))
                        .path("channelsFound")
                        .asInt())
                .as("no election is paused")
                .isZero();
    }

    @Test
    void a_filter_also_selects_the_leaderships() throws Exception {
        for (String channel : List.of("c7", "c8")) {
            leaderships.changed(
                    new ElectionView(channel, Optional.of(new Leader("ann", 5)), 5, Instant.EPOCH, Instant.EPOCH));
        }

        assertThat(seen(ConsoleFilter.NONE).path("leaderships")).hasSize(2);
        assertThat(seen(new ConsoleFilter("c8", "", Show.ALL))
                        .path("leaderships")
                        .findValuesAsText("election"))
                .containsExactly("c8");
    }

    @Test
    void the_query_contains_the_filter() {
        assertThat(ConsoleFilter.of("/console/events")).isEqualTo(ConsoleFilter.NONE);
        assertThat(ConsoleFilter.of("/console/events?channel=a%20b&member=+x+&show=paused"))
                .isEqualTo(new ConsoleFilter("a b", "x", Show.PAUSED));
        assertThatThrownBy(() -> ConsoleFilter.of("/console/events?channel=" + "x".repeat(256)))
                .hasMessage("The parameter \"channel\" has 256 characters. It may have at most 255.");
        assertThatThrownBy(() -> ConsoleFilter.of("/console/events?show=LED"))
                .hasMessage("The parameter \"show\" has an unknown value. Use all, led, vacant or paused.");
        assertThatThrownBy(() -> ConsoleFilter.of("/console/events?channel=%zz"))
                .hasMessage("The percent-encoding of the query is malformed (RFC 3986).");
    }

    private JsonNode seen(ConsoleFilter filter) throws Exception {
        return seen(filter, channels);
    }

    private JsonNode seen(ConsoleFilter filter, List<ChannelView> views) throws Exception {
        var json = new ConsoleJson(new Figures(3, () -> 1_000), leaderships, StrictClaims.withElection("x"));
        return JSON.readTree(json.of(1_000, new View(views), new ConsoleViewer(channel -> false, filter)));
    }

    private record View(List<ChannelView> channels) implements HubView {

        @Override
        public HubCounts counts() {
            int members = channels.stream().mapToInt(ChannelView::members).sum();
            return new HubCounts(1, 1, 1, channels.size(), members);
        }

        @Override
        public List<MemberView> members(String channel, int limit) {
            int members = channels.stream()
                    .filter(view -> view.name().equals(channel))
                    .mapToInt(ChannelView::members)
                    .sum();
            return IntStream.range(0, Math.min(limit, members))
                    .mapToObj(i -> new MemberView(channel + "-m" + i, "x", false))
                    .toList();
        }

        @Override
        public boolean mayAdminister(String authorization, String address) {
            return false;
        }
    }
}
