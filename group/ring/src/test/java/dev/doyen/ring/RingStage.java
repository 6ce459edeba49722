package dev.doyen.ring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.event.SavedState;
import dev.doyen.group.settings.RingAlgorithm;
import dev.doyen.group.settings.RingOrder;
import dev.doyen.group.settings.RingTiming;
import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import dev.doyen.membership.ViewId;
import dev.doyen.ring.RingMessage.Elect;
import dev.doyen.ring.RingMessage.Elected;
import dev.doyen.ring.RingMessage.Heartbeat;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A machine that a test controls. The test advances the clocks, sends messages of other members, and reads the effects.
 */
final class RingStage {

    /**
     * Election timeout 1 s, leader lease 800 ms, heartbeat interval 200 ms, retry 100 ms; early messages are stored for
     * 1 s.
     */
    static final RingTiming TIMING = RingTiming.ofElectionTimeout(Duration.ofSeconds(1));

    static final Member ME = new Member("m", "1");

    /**
     * A member whose key is greater than the key of ME, because its id is lower and all other fields of the keys are
     * equal.
     */
    static final Member GREATER = new Member("a", "1");

    static final Member LESSER = new Member("z", "1");

    final View view = view(1, ME, GREATER, LESSER);
    final RingMachine machine;
    RingState state;
    List<RingEffect> effects = List.of();
    long wakeAtNanos;

    private long nanos = 1_000_000_000_000L;
    private long wallMillis = 1_700_000_000_000L;

    RingStage(RingSettings settings) {
        machine = new RingMachine(settings);
        state = machine.begin(ME);
    }

    RingStage() {
        this(new RingSettings(RingAlgorithm.CHANG_ROBERTS, TIMING, 100, true));
    }

    static RingStage peterson() {
        return new RingStage(new RingSettings(RingAlgorithm.PETERSON, TIMING, 100, true));
    }

    /** Returns a machine that has sent its key in the view of three members. */
    static RingStage asLeader() {
        var stage = new RingStage();
        return stage.install(stage.view);
    }

    /** Returns a machine that leads the view of three members in term 1. */
    static RingStage leading() {
        RingStage stage = asLeader();
        return stage.receive(stage.sent(Elect.class));
    }

    static View view(long number, Member... members) {
        return new View(new ViewId(number, "test"), List.of(members));
    }

    Moment now() {
        return new Moment(nanos, wallMillis);
    }

    RingStage pass(long millis) {
        nanos += millis * 1_000_000;
        wallMillis += millis;
        return this;
    }

    /** Advances only the wall clock, as the suspension of a computer does. */
    RingStage jumpWall(long millis) {
        wallMillis += millis;
        return this;
    }

    RingStage take(RingInput input) {
        RingStep step = machine.step(state, input);
        state = step.next();
        effects = step.effects();
        wakeAtNanos = step.wakeAtNanos();
        if (input instanceof RingInput.Woken) {
            // If the wake time had passed, a driver would wake the machine again and again.
            assertThat(wakeAtNanos)
                    .as("the next wake time is in the future")
                    .isGreaterThan(input.at().nanos());
        }
        return this;
    }

    RingStage wake() {
        return take(new RingInput.Woken(now()));
    }

    RingStage install(View next) {
        return take(new RingInput.Installed(now(), next));
    }

    /** Receives a message from the predecessor. */
    RingStage receive(RingMessage message) {
        View seen = state.view().orElse(view);
        return receive(seen.before(ME), message);
    }

    RingStage receive(Member from, RingMessage message) {
        return take(new RingInput.Received(now(), from, message));
    }

    RingStage resign(long cooldownMillis) {
        return take(new RingInput.Resign(now(), Duration.ofMillis(cooldownMillis)));
    }

    RingStage handOver(Member successor, long cooldownMillis) {
        return take(new RingInput.HandOver(now(), successor.id(), Duration.ofMillis(cooldownMillis)));
    }

    RingStage save(long term, long version, String state) {
        return take(new RingInput.Save(now(), term, version, SavedState.ofText(state)));
    }

    RingStage withdraw(LossCause cause) {
        return take(new RingInput.Withdraw(now(), cause));
    }

    /** Returns the time until the machine must be woken, in milliseconds. */
    long wakeInMillis() {
        return (wakeAtNanos - nanos) / 1_000_000;
    }

    Key key(Member member) {
        return new Key(true, Term.NONE, 100, RingOrder.OLDEST, 1, member);
    }

    Elect elect(Member member, int attempt) {
        return new Elect(view.id(), 0, key(member), attempt, Passed.NOTHING);
    }

    Elected elected(Term term) {
        return new Elected(view.id(), 0, term, 1, Optional.empty());
    }

    Heartbeat heartbeat(Term term, long sequence) {
        return new Heartbeat(view.id(), 0, term, sequence, Optional.empty());
    }

    /** Returns a heartbeat with a saved state of this version. */
    Heartbeat heartbeat(Term term, long sequence, long version, String state) {
        return new Heartbeat(view.id(), 0, term, sequence, Optional.of(saved(term, version, state)));
    }

    static VersionedState saved(Term term, long version, String state) {
        return new VersionedState(new VersionedState.Id(term, version), SavedState.ofText(state));
    }

    /** Returns the empty state that a leader sends at the beginning of its term. */
    static Optional<VersionedState> beginning(Term term) {
        return Optional.of(saved(term, 0, ""));
    }

    /** Returns what an election message has collected after it passed only members without a saved state. */
    static Passed passed(Term term) {
        return new Passed(term, VersionedState.Location.NONE);
    }

    /** Returns all messages that the last step has sent, whatever their receivers are. */
    List<RingMessage> sent() {
        return of(RingEffect.Send.class).map(RingEffect.Send::message).toList();
    }

    /** Returns the single message of this kind that the last step has sent. */
    <M extends RingMessage> M sent(Class<M> kind) {
        List<RingMessage> all = sent().stream().filter(kind::isInstance).toList();
        if (all.size() != 1) {
            throw new AssertionError("not exactly one " + kind.getSimpleName() + " among the effects " + effects);
        }
        return kind.cast(all.get(0));
    }

    List<RingEffect.Why> dropped() {
        return of(RingEffect.Dropped.class).map(RingEffect.Dropped::why).toList();
    }

    <E extends RingEffect> Stream<E> of(Class<E> kind) {
        return effects.stream().filter(kind::isInstance).map(kind::cast);
    }

    boolean leads() {
        return !state.remainingAt(now()).isZero();
    }
}
