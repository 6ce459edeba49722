package dev.doyen.ranking;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a member sees of the channel (rule K1): nothing counts before the set is complete, and what was heard during a sync
 * overrides the snapshot member by member. It holds as many members as the hub lets onto a channel.
 */
final class Sight {

    private final RankingTurn turn;

    boolean synced;
    Map<String, Member> members;
    Map<String, Optional<Member>> overlay;

    Sight(RankingTurn turn, RankingState state) {
        this.turn = turn;
        this.synced = state.synced;
        this.members = state.members;
        this.overlay = state.overlay;
    }

    void begin() {
        synced = false;
        overlay = Map.of();
    }

    void complete(List<Member> snapshot) {
        var all = new HashMap<String, Member>();
        snapshot.forEach(member -> all.put(member.key(), member));
        overlay.forEach((key, heard) -> heard.ifPresentOrElse(member -> all.put(key, member), () -> all.remove(key)));
        members = Map.copyOf(all);
        overlay = Map.of();
        synced = true;
        // Whether terms are talk (K6) is known before the first of them is read.
        turn.terms.exclusive |=
                all.values().stream().anyMatch(member -> member.stamped().isPresent());
        all.values().forEach(this::observe);
    }

    void hear(Member member, boolean left) {
        observe(member);
        if (!synced) {
            var heard = new HashMap<>(overlay);
            heard.put(member.key(), left ? Optional.empty() : Optional.of(member));
            overlay = Map.copyOf(heard);
            return;
        }
        var all = new HashMap<>(members);
        if (left) {
            all.remove(member.key());
        } else {
            all.put(member.key(), member);
        }
        members = Map.copyOf(all);
    }

    void forget() {
        synced = false;
        members = Map.of();
        overlay = Map.of();
    }

    private void observe(Member member) {
        turn.terms.observe(member);
        turn.pen.echoed(member);
    }
}
