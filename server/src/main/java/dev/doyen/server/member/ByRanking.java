package dev.doyen.server.member;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.doyen.Election;
import dev.doyen.MembershipSettings;
import dev.doyen.driver.RankingTally;
import dev.doyen.elector.ElectionView;
import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import dev.doyen.ranking.Ranking;
import dev.doyen.roster.RosterState;
import dev.doyen.server.MetricsText;
import java.io.IOException;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** An election by ranking. */
final class ByRanking implements Contest {

    private final RankingManner manner;
    private final RankingTally tally = new RankingTally();

    ByRanking(RankingManner manner) {
        this.manner = manner;
    }

    @Override
    public MembershipSettings<?> settings(String election, int priority) {
        return Election.ranking(election)
                .order(manner.order().ranking())
                .ttl(manner.ttl())
                .priority(priority)
                .tally(tally);
    }

    @Override
    public Optional<Instant> lastHeard() {
        return tally.lastWord();
    }

    @Override
    public void tell(MetricsText text) {
        Optional<RosterState> state = tally.state();
        int members = state.flatMap(RosterState::view)
                .map(view -> view.members().size())
                .orElse(0);
        text.single("doyen_ranking_members", "gauge", "processes in the view, this one included", members);
        text.single(
                "doyen_ranking_silent_members",
                "gauge",
                "processes in the view that have not answered this one",
                state.map(known -> known.silent().size()).orElse(0));
        String sent = "doyen_ranking_messages_sent_total";
        text.describe(sent, "counter", "messages of the ranking that this process sent, by kind");
        text.value(sent, "kind=\"question\"", tally.asked());
        text.value(sent, "kind=\"answer\"", tally.answered());
    }

    @Override
    public void show(JsonGenerator json, Optional<ElectionView> election) throws IOException {
        json.writeStringField("order", MemberJson.word(manner.order()));
        Optional<RosterState> state = tally.state();
        Optional<View> view = state.flatMap(RosterState::view);
        if (view.isPresent()) {
            json.writeObjectFieldStart("view");
            view(json, view.get(), state.get(), election);
            json.writeEndObject();
        }
        json.writeObjectFieldStart("sent");
        json.writeNumberField("question", tally.asked());
        json.writeNumberField("answer", tally.answered());
        json.writeEndObject();
    }

    /** In the order in which they may claim; at the end those that are not eligible, or have not said so yet. */
    private void view(JsonGenerator json, View view, RosterState state, Optional<ElectionView> election)
            throws IOException {
        Map<String, Integer> places = places(state.entered(), manner.order().ranking());
        var silent = new HashSet<>(state.silent());
        Stream<Member> ranked = view.members().stream()
                .sorted(Comparator.comparingInt(member -> places.getOrDefault(member.toString(), Integer.MAX_VALUE)));
        MemberJson.view(json, view, state.me(), ranked, election.flatMap(ElectionView::leader), member -> {
            json.writeBooleanField("stands", places.containsKey(member.toString()));
            json.writeBooleanField("silent", silent.contains(member));
        });
    }

    /** How many may claim before each that is eligible, by key. */
    private static Map<String, Integer> places(Collection<dev.doyen.ranking.Member> entered, Ranking ranking) {
        var places = new HashMap<String, Integer>();
        entered.stream()
                .filter(dev.doyen.ranking.Member::eligible)
                .forEach(each -> places.put(each.key(), ranking.position(entered, each)));
        return places;
    }
}
