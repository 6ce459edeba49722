package dev.doyen.elector;

import dev.doyen.event.SavedState;
import java.time.Duration;
import java.util.Optional;

/**
 * An admin command in a valid request from an allowed sender.
 *
 * <p>The elector has checked the fields and the origin of the command. The handler decides whether the command can be
 * carried out, and builds the response.
 */
public sealed interface AdminCommand {

    /** A visitor with one method for each command. The compiler reports a missing method. */
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

    /** Returns the name of the election to which the command applies. The election exists. */
    String election();

    <R> R choose(Kinds<R> kinds);

    /** The maximum {@code waitFor} of a command. */
    Duration MAX_WAIT = Duration.ofMinutes(1);

    /**
     * Asks the leader to step down.
     *
     * @param cooldown the time for which the former leader does not campaign; empty for the default
     * @param waitFor the maximum time for which the reply waits until the leader has stepped down; empty for the
     *     default
     */
    record Resign(String election, String reason, Optional<Duration> cooldown, Optional<Duration> waitFor)
            implements AdminCommand {
        @Override
        public <R> R choose(Kinds<R> kinds) {
            return kinds.resign(this);
        }
    }

    /**
     * Asks the leader to hand over to the candidate {@code to}.
     *
     * @param waitFor the maximum time for which the reply waits until another candidate leads; empty for the default
     */
    record Transfer(String election, String to, String reason, Optional<Duration> waitFor) implements AdminCommand {
        @Override
        public <R> R choose(Kinds<R> kinds) {
            return kinds.transfer(this);
        }
    }

    /** Pauses the election. No candidate leads until {@link Resume}. */
    record Pause(String election, String reason) implements AdminCommand {
        @Override
        public <R> R choose(Kinds<R> kinds) {
            return kinds.pause(this);
        }
    }

    /** Ends the pause of the election. */
    record Resume(String election) implements AdminCommand {
        @Override
        public <R> R choose(Kinds<R> kinds) {
            return kinds.resume(this);
        }
    }

    /** Reads the state that leaders have saved for the next leader. */
    record ReadState(String election) implements AdminCommand {
        @Override
        public <R> R choose(Kinds<R> kinds) {
            return kinds.readState(this);
        }
    }

    /** Saves {@code state} for the next leader. The process that receives the command must lead. */
    record SaveState(String election, SavedState state) implements AdminCommand {
        @Override
        public <R> R choose(Kinds<R> kinds) {
            return kinds.saveState(this);
        }
    }

    /**
     * Makes the candidate with this {@code id} campaign for {@code ttl}. A client repeats the command for a longer
     * campaign.
     */
    record Campaign(String election, String id, Duration ttl) implements AdminCommand {
        @Override
        public <R> R choose(Kinds<R> kinds) {
            return kinds.campaign(this);
        }
    }

    /** Makes the candidate with this {@code id} withdraw. */
    record Withdraw(String election, String id) implements AdminCommand {
        @Override
        public <R> R choose(Kinds<R> kinds) {
            return kinds.withdraw(this);
        }
    }
}
