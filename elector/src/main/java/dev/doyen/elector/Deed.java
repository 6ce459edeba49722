package dev.doyen.elector;

import dev.doyen.event.HandOverState;
import java.time.Duration;
import java.util.Optional;

/**
 * What a request asks to be done. The elector has checked its words and where it came from; whether it can be done, and
 * the answer, is the matter of whoever carries it out.
 */
public sealed interface Deed extends ElectorAnswer {

    /** One method per deed, so that a case forgotten does not compile. */
    interface Kinds<R> {
        R resign(Resign deed);

        R transfer(Transfer deed);

        R pause(Pause deed);

        R resume(Resume deed);

        R readState(ReadState deed);

        R saveState(SaveState deed);

        R stand(Stand deed);

        R standBack(StandBack deed);
    }

    /** The election it is about, which is known. */
    String election();

    <R> R choose(Kinds<R> kinds);

    @Override
    default void accept(Cases cases) {
        cases.deed(this);
    }

    /** The longest {@code waitFor} of an order. */
    Duration MAX_WAIT = Duration.ofMinutes(1);

    /**
     * The leader is to step down.
     *
     * @param cooldown empty for the usual one
     * @param waitFor for how long the reply waits until the leader has stepped down; empty for the usual time
     */
    record Resign(String election, String reason, Optional<Duration> cooldown, Optional<Duration> waitFor)
            implements Deed {
        @Override
        public <R> R choose(Kinds<R> kinds) {
            return kinds.resign(this);
        }
    }

    /**
     * The leader is to hand over to the candidate {@code to}.
     *
     * @param waitFor for how long the reply waits until another candidate leads; empty for the usual time
     */
    record Transfer(String election, String to, String reason, Optional<Duration> waitFor) implements Deed {
        @Override
        public <R> R choose(Kinds<R> kinds) {
            return kinds.transfer(this);
        }
    }

    /** Nobody is to lead until {@link Resume}. */
    record Pause(String election, String reason) implements Deed {
        @Override
        public <R> R choose(Kinds<R> kinds) {
            return kinds.pause(this);
        }
    }

    /** The pause is over. */
    record Resume(String election) implements Deed {
        @Override
        public <R> R choose(Kinds<R> kinds) {
            return kinds.resume(this);
        }
    }

    /** What the leaders left for the next one is wanted. */
    record ReadState(String election) implements Deed {
        @Override
        public <R> R choose(Kinds<R> kinds) {
            return kinds.readState(this);
        }
    }

    /** The leader here leaves {@code state} for the next one. */
    record SaveState(String election, HandOverState state) implements Deed {
        @Override
        public <R> R choose(Kinds<R> kinds) {
            return kinds.saveState(this);
        }
    }

    /** The candidate {@code id} is to stand, for so long unless it is said again. */
    record Stand(String election, String id, Duration ttl) implements Deed {
        @Override
        public <R> R choose(Kinds<R> kinds) {
            return kinds.stand(this);
        }
    }

    /** The candidate {@code id} is not to stand any more. */
    record StandBack(String election, String id) implements Deed {
        @Override
        public <R> R choose(Kinds<R> kinds) {
            return kinds.standBack(this);
        }
    }
}
