package dev.doyen.ranking;

import dev.doyen.event.Moment;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The greatest checkpoint that was seen on a channel, and when the leader must write it again, so that a late joiner finds it
 * within the messages that the channel rewinds (rule K18). A value: each method returns the next one.
 */
public final class Checkpoints {

    /** A hub takes 64 KiB a message. So many characters are at most 48 KiB of UTF-8, which leaves room for the envelope. */
    public static final int MAX_STATE = 16 * 1024;

    /** A hub keeps two minutes of history unless told otherwise; half of that is a safe age. */
    private static final Duration MAX_AGE = Duration.ofSeconds(60);

    private final int window;
    private final @Nullable Checkpoint greatest;
    private final int messagesSince;
    private final @Nullable Moment writtenAt;

    private Checkpoints(int window, @Nullable Checkpoint greatest, int messagesSince, @Nullable Moment writtenAt) {
        this.window = window;
        this.greatest = greatest;
        this.messagesSince = messagesSince;
        this.writtenAt = writtenAt;
    }

    /** None seen yet, on a channel that rewinds so many messages, 1 or more. */
    public static Checkpoints none(int rewind) {
        if (rewind < 1) {
            throw new IllegalArgumentException("rewind is " + rewind + "; at least 1, or no late joiner finds a state");
        }
        return new Checkpoints(Math.max(1, rewind / 2), null, 0, null);
    }

    public Optional<Checkpoint> greatest() {
        return Optional.ofNullable(greatest);
    }

    /** Any other message passed on the channel. */
    public Checkpoints passed() {
        return new Checkpoints(window, greatest, Math.min(messagesSince + 1, window), writtenAt);
    }

    /** A checkpoint passed. One that is less than the greatest is a message like any other. */
    public Checkpoints seen(Checkpoint checkpoint, Moment now) {
        return greatest == null || checkpoint.compareTo(greatest) >= 0
                ? new Checkpoints(window, checkpoint, 0, now)
                : passed();
    }

    /** What makes {@code state} the greatest checkpoint of this term. */
    public Checkpoint next(long term, String state) {
        return new Checkpoint(term, greatest != null && greatest.term() == term ? greatest.seq() + 1 : 1, state);
    }

    /**
     * The greatest checkpoint again, under the leader's own term, if it is about to drop out of the rewind. Whoever sends it
     * takes it for {@link #seen} at once, or it is due until its echo comes.
     */
    public Optional<Checkpoint> renewal(long term, Moment now) {
        if (greatest == null || writtenAt == null) {
            return Optional.empty();
        }
        boolean fresh = messagesSince < window && now.nanosSince(writtenAt) < MAX_AGE.toNanos();
        return fresh ? Optional.empty() : Optional.of(next(term, greatest.state()));
    }
}
