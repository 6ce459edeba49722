package dev.doyen.elector;

import dev.doyen.event.SavedState;
import java.time.Duration;
import java.util.Optional;

/**
 * An admin command in a valid request from an allowed sender.
 *
 * <p>The elector has checked its fields and its origin. The handler decides whether it can be carried out, and builds
 * the response.
 */
public sealed interface AdminCommand extends ElectorAnswer {

    /** One method per command, so that a missing case does not compile. */
    interface Kinds<R> {
        R resign(Resign command);

        R transfer(Transfer command);

        R pause(Pause command);

        R resume(Resume command);

        R readState(ReadState command);

        R saveState(SaveState command);

        R campaign(Campaign command);

        R withdraw(Withdraw command);
    }

    /** The election of the command; it exists. */
    String election();

    <R> R choose(Kinds<R> kinds);

    @Override
    default void accept(Cases cases) {
        cases.command(this);
    }

    /** The longest {@code waitFor} of a command. */
    Duration MAX_WAIT = Duration.ofMinutes(1);

    /**
     * The leader shall step down.
     *
     * @param cooldown empty for the default
     * @param waitFor how long the reply waits until the leader has stepped down; empty for the default
     */
    record Resign(String election, String reason, Optional<Duration> cooldown, Optional<Duration> waitFor)
            implements AdminCommand {
        @Override
        public <R> R choose(Kinds<R> kinds) {
            return kinds.resign(this);
        }
    }

    /**
     * The leader shall hand over to the candidate {@code to}.
     *
     * @param waitFor how long the reply waits until another candidate leads; empty for the default
     */
    record Transfer(String election, String to, String reason, Optional<Duration> waitFor) implements AdminCommand {
        @Override
        public <R> R choose(Kinds<R> kinds) {
            return kinds.transfer(this);
        }
    }

    /** No candidate shall lead until {@link Resume}. */
    record Pause(String election, String reason) implements AdminCommand {
        @Override
        public <R> R choose(Kinds<R> kinds) {
            return kinds.pause(this);
        }
    }

    /** The pause shall end. */
    record Resume(String election) implements AdminCommand {
        @Override
        public <R> R choose(Kinds<R> kinds) {
            return kinds.resume(this);
        }
    }

    /** Read the state that leaders have saved for the next leader. */
    record ReadState(String election) implements AdminCommand {
        @Override
        public <R> R choose(Kinds<R> kinds) {
            return kinds.readState(this);
        }
    }

    /** The leader of this process saves {@code state} for the next leader. */
    record SaveState(String election, SavedState state) implements AdminCommand {
        @Override
        public <R> R choose(Kinds<R> kinds) {
            return kinds.saveState(this);
        }
    }

    /** The candidate {@code id} shall campaign for {@code ttl}, or longer if the command is repeated. */
    record Campaign(String election, String id, Duration ttl) implements AdminCommand {
        @Override
        public <R> R choose(Kinds<R> kinds) {
            return kinds.campaign(this);
        }
    }

    /** The candidate {@code id} shall withdraw. */
    record Withdraw(String election, String id) implements AdminCommand {
        @Override
        public <R> R choose(Kinds<R> kinds) {
            return kinds.withdraw(this);
        }
    }
}
