package dev.doyen.ranking;

import dev.doyen.event.Moment;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Who decides in a {@link ModelPage}: the shipped machine, or the algorithm as it was published. */
interface Brain {

    /** What it wants done, and when it wants to be woken. */
    record Answer(List<RankingEffect> effects, long wakeAtNanos) {}

    Answer take(RankingInput input);

    boolean leadsAt(Moment now);

    /** The presence data of a {@code Follow} or {@code Claim}. */
    @Nullable
    Object data(RankingEffect write);

    /** With what it fences its messages. */
    Optional<Long> fence();

    Optional<LeaderView> named();

    /** The shipped machine. */
    final class Shipped implements Brain {

        private final RankingSettings settings;
        private final RankingMachine machine;
        RankingState state;

        Shipped(RankingSettings settings, Moment now) {
            this.settings = settings;
            this.machine = new RankingMachine(settings);
            this.state = machine.begin(now, 0);
        }

        @Override
        public Answer take(RankingInput input) {
            RankingStep step = machine.step(state, input);
            state = step.next();
            return new Answer(step.effects(), step.wakeAtNanos());
        }

        @Override
        public boolean leadsAt(Moment now) {
            return state.leadsAt(now);
        }

        @Override
        public Object data(RankingEffect write) {
            return write instanceof RankingEffect.Claim claim
                    ? PresenceData.of(claim, settings)
                    : PresenceData.of((RankingEffect.Follow) write, settings);
        }

        @Override
        public Optional<Long> fence() {
            return state.leading().stream().boxed().findFirst();
        }

        @Override
        public Optional<LeaderView> named() {
            return state.leader();
        }
    }
}
