package dev.doyen.ranking;

import dev.doyen.event.Moment;
import dev.doyen.ranking.RankingInput.Action;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** One machine on a stage: a test moves its clocks by hand, plays the channel, and reads what the machine wants done. */
final class RankingStage {

    static final String ME = "1:ann";
    static final RankingSettings SETTINGS = RankingSettings.DEFAULT;

    final RankingMachine machine;
    RankingState state;
    List<RankingEffect> effects = List.of();
    long wakeAtNanos;

    private long nanos = 7_000_000_000L;
    private long wallMillis = 1_700_000_000_000L;

    RankingStage(RankingSettings settings) {
        machine = new RankingMachine(settings);
        state = machine.begin(now(), 0);
    }

    /** Connected, synced with these others, entered. The own write has number 1, order 100. */
    static RankingStage entered(RankingSettings settings, Member... others) {
        var stage = new RankingStage(settings);
        stage.take(new RankingInput.Connected(stage.now(), ME));
        stage.take(new RankingInput.SyncStarted(stage.now()));
        stage.take(new RankingInput.SyncComplete(stage.now(), List.of(others)));
        return stage.hear(Action.ENTER, me(Role.FOLLOWER, 0, 1));
    }

    static RankingStage entered(Member... others) {
        return entered(SETTINGS, others);
    }

    /** Alone, leading in term 1 of its own, where nobody grants claims; its claim was sent at this moment, and is write 2. */
    static RankingStage leading() {
        RankingStage stage = entered().pass(500).tick();
        return stage.hear(Action.UPDATE, me(Role.LEADER, 1, 2));
    }

    /** The same in term 7, which a hub granted. */
    static RankingStage granted() {
        RankingStage stage = entered().pass(500).tick();
        return stage.hear(Action.UPDATE, stamped(me(Role.LEADER, 1, 2), 7));
    }

    static Member me(Role role, long term, long seq) {
        return member(ME, 100, role, term, seq);
    }

    static Member other(Role role, long term) {
        return member("2:ben", 90, role, term, 1);
    }

    static Member member(String key, long order, Role role, long term, long seq) {
        return new Member(
                key,
                key.substring(key.indexOf(':') + 1),
                order,
                role,
                term,
                OptionalLong.empty(),
                0,
                true,
                OptionalLong.of(seq),
                Optional.empty());
    }

    static Member stamped(Member one, long term) {
        return new Member(
                one.key(),
                one.clientId(),
                one.order(),
                one.role(),
                one.term(),
                OptionalLong.of(term),
                one.priority(),
                one.eligible(),
                one.seq(),
                one.ended());
    }

    static Member preferred(Member one, long priority) {
        return new Member(
                one.key(),
                one.clientId(),
                one.order(),
                one.role(),
                one.term(),
                one.stamped(),
                priority,
                one.eligible(),
                one.seq(),
                one.ended());
    }

    static Member ineligible(Member one) {
        return new Member(
                one.key(),
                one.clientId(),
                one.order(),
                one.role(),
                one.term(),
                one.stamped(),
                one.priority(),
                false,
                one.seq(),
                one.ended());
    }

    /** As the hub leaves it when it takes the claim away; {@code heir} may be empty. */
    static Member ended(Member one, String heir) {
        Optional<String> named = heir.isEmpty() ? Optional.empty() : Optional.of(heir);
        return new Member(
                one.key(),
                one.clientId(),
                one.order(),
                Role.FOLLOWER,
                one.term(),
                OptionalLong.empty(),
                one.priority(),
                one.eligible(),
                one.seq(),
                Optional.of(new Member.Ended(named)));
    }

    static Member stranger(Member one) {
        return new Member(
                one.key(),
                one.clientId(),
                one.order(),
                one.role(),
                one.term(),
                one.stamped(),
                one.priority(),
                false,
                OptionalLong.empty(),
                one.ended());
    }

    Moment now() {
        return new Moment(nanos, wallMillis);
    }

    RankingStage pass(long millis) {
        nanos += millis * 1_000_000;
        wallMillis += millis;
        return this;
    }

    /** The wall clock goes on, the monotonic one does not. */
    RankingStage suspend(long millis) {
        wallMillis += millis;
        return this;
    }

    RankingStage take(RankingInput input) {
        RankingStep step = machine.step(state, input);
        state = step.next();
        effects = step.effects();
        wakeAtNanos = step.wakeAtNanos();
        return this;
    }

    RankingStage tick() {
        return take(new RankingInput.Tick(now()));
    }

    RankingStage hear(Action action, Member member) {
        return take(new RankingInput.MemberHeard(now(), action, member));
    }

    RankingStage answered(Moment sent) {
        return take(new RankingInput.PingAnswered(now(), sent));
    }

    boolean leads() {
        return state.leadsAt(now());
    }

    /** In how many milliseconds it wants to be called; -1 for never. */
    long wakeInMillis() {
        return wakeAtNanos == Long.MAX_VALUE
                ? -1
                : Duration.ofNanos(wakeAtNanos - nanos).toMillis();
    }

    <T extends RankingEffect> List<T> effects(Class<T> type) {
        return effects.stream()
                .flatMap(effect -> type.isInstance(effect) ? Stream.of(type.cast(effect)) : Stream.empty())
                .toList();
    }
}
