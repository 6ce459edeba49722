package dev.doyen.ranking;

import dev.doyen.event.Moment;
import dev.doyen.ranking.RankingEffect.Claim;
import dev.doyen.ranking.RankingEffect.Follow;
import dev.doyen.ranking.RankingEffect.StartWork;
import dev.doyen.ranking.RankingInput.Action;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The algorithm as it was published, so that the races of docs/spec/ranking.md can be shown: at every presence event it looks
 * at the set; if somebody's data is {@code leader} it does nothing; else it sorts by the difference of connection ids, and if
 * the first has the own client id, it writes {@code leader}, and works from the acknowledgement on, for ever.
 */
final class Published implements Brain {

    /** In the order in which they came, as an SDK's map keeps them. */
    private final Map<String, Member> members = new LinkedHashMap<>();

    private final String clientId;
    private final List<Long> claims = new ArrayList<>();
    private long seq;
    private int workers;

    Published(String clientId) {
        this.clientId = clientId;
    }

    @Override
    public Answer take(RankingInput input) {
        var effects = new ArrayList<RankingEffect>();
        if (input instanceof RankingInput.SyncComplete sync) {
            // Once only: on a later connection the SDK enters again what was written before.
            if (seq == 0) {
                effects.add(new Follow(++seq, 0, true));
            }
            members.clear();
            sync.members().forEach(member -> members.put(member.key(), member));
            elect(effects);
        } else if (input instanceof RankingInput.MemberHeard heard) {
            if (heard.action() == Action.LEAVE) {
                members.remove(heard.member().key());
            } else {
                members.put(heard.member().key(), heard.member());
            }
            elect(effects);
        } else if (input instanceof RankingInput.Acked acked && claims.remove(acked.seq())) {
            workers++;
            effects.add(new StartWork(0));
        }
        return new Answer(effects, Long.MAX_VALUE);
    }

    private void elect(List<RankingEffect> effects) {
        if (members.values().stream().anyMatch(Member::claims)) {
            return;
        }
        var sorted = new ArrayList<>(members.values());
        sorted.sort((one, other) -> (int) Math.signum(connection(one) - connection(other)));
        if (!sorted.isEmpty() && sorted.get(0).clientId().equals(clientId)) {
            claims.add(++seq);
            effects.add(new Claim(seq, 0));
        }
    }

    /** Not a number for most ids; and the difference to that is none either, which sorts as if they were equal. */
    private static double connection(Member member) {
        String id = member.key().substring(0, member.key().indexOf(':'));
        return id.chars().allMatch(Character::isDigit) ? Double.parseDouble(id) : Double.NaN;
    }

    @Override
    public boolean leadsAt(Moment now) {
        return workers > 0;
    }

    @Override
    public @Nullable Object data(RankingEffect write) {
        return write instanceof Claim ? "leader" : null;
    }

    @Override
    public Optional<Long> fence() {
        return Optional.empty();
    }

    @Override
    public Optional<LeaderView> named() {
        return Winner.among(members.values())
                .map(member -> new LeaderView(member.key(), member.clientId(), member.termOfClaim()));
    }
}
