package dev.doyen.client.sight;

import dev.doyen.client.sight.WatchSettings.CanAsk;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Watches one election through an event stream, and sends questions in case of doubt.
 *
 * <p>The rules:
 *
 * <ul>
 *   <li>An answer counts for {@code maxAge}. An event or a comment of the stream renews it. So does the same answer to
 *       a question, from the time at which the question was sent.
 *   <li>If the stream is silent for half of that time, the machine sends a question. It does not reopen the stream
 *       first, because NAIS' elector sends no comments and keeps state for each listener. It reopens the stream if no
 *       question can be sent, if no answer arrives, or if the answer differs.
 *   <li>Bytes that arrive after {@code maxAge} of silence are ignored, because they may have waited in a buffer while
 *       this process was paused. The machine reopens the stream.
 *   <li>A replay shows the past. The machine reports that this process leads only after a question or a comment has
 *       confirmed it.
 *   <li>A stream that ends, cannot be parsed or does not begin is reopened after a backoff that doubles. Meanwhile the
 *       machine sends questions.
 * </ul>
 *
 * <p>Threads: one at a time.
 */
public final class WatchMachine {

    private enum Phase {
        WAITING,
        OPENING,
        OPEN
    }

    private final WatchSettings settings;
    private final Backoff backoff;
    private final List<Effect> effects = new ArrayList<>();

    private Sight sight;
    private LeaderState told;
    private Phase phase = Phase.WAITING;
    private EventReader reader = new EventReader("");

    /** The end of the wait or of the opening. Unused while the stream is open. */
    private long phaseEndsAt;

    private long openedAt;

    /** When the stream, or an answer about it, last showed that it works. */
    private long aliveAt;

    private boolean replaying;
    private boolean namedHere;

    private boolean asking;
    private long askedAt;
    private boolean toldSinceAsked;

    public WatchMachine(WatchSettings settings) {
        this.settings = settings;
        this.backoff = new Backoff(settings.silenceNanos());
        this.sight = Sight.nothing(settings.self(), settings.maxAgeNanos(), settings.whenUnknown());
        this.told = sight.state(0);
    }

    /** Returns the last answer. Other threads may read it. */
    public Sight sight() {
        return sight;
    }

    /** Returns the time by which {@link #passed} must be called if no other input arrives. */
    public long wakeAtNanos(long nowNanos) {
        long wake = nowNanos + settings.maxAgeNanos();
        if (phase != Phase.OPEN) {
            wake = earlier(wake, phaseEndsAt);
        }
        if (!asking && (phase == Phase.OPEN || canAsk())) {
            wake = earlier(wake, silentAt());
        }
        if (sight.isFresh(nowNanos)) {
            wake = earlier(wake, sight.atNanos() + settings.maxAgeNanos());
        }
        return wake;
    }

    public List<Effect> start(Turn turn) {
        aliveAt = turn.nanos();
        askedAt = turn.nanos();
        open(turn);
        return done(turn);
    }

    /** The head of the stream's response has arrived. */
    public List<Effect> opened(int status, String contentType, Turn turn) {
        if (phase != Phase.OPENING) {
            return done(turn);
        }
        if (status != 200 || !contentType.startsWith("text/event-stream")) {
            fail(
                    "the elector answered with status " + status + " and type \"" + contentType
                            + "\" where 200 and text/event-stream were expected",
                    turn);
            return done(turn);
        }
        phase = Phase.OPEN;
        aliveAt = turn.nanos();
        replaying = !reader.lastEventId().isEmpty();
        namedHere = false;
        return done(turn);
    }

    public List<Effect> bytes(byte[] bytes, Turn turn) {
        if (phase != Phase.OPEN) {
            return done(turn);
        }
        if (turn.nanos() - aliveAt >= settings.maxAgeNanos()) {
            reopen(turn);
            return done(turn);
        }
        aliveAt = turn.nanos();
        try {
            reader.read(bytes, new Hearing(turn));
        } catch (IllegalArgumentException e) {
            fail(String.valueOf(e.getMessage()), turn);
        }
        return done(turn);
    }

    /** The stream ended, or could not be opened. */
    public List<Effect> ended(String why, Turn turn) {
        if (phase != Phase.WAITING) {
            fail(why, turn);
        }
        return done(turn);
    }

    /**
     * An answer to the question has arrived.
     *
     * @param answer empty if the elector knows no leader yet
     */
    public List<Effect> answered(Optional<Answer> answer, Turn turn) {
        asking = false;
        if (toldSinceAsked) {
            // The stream is newer than the answer, unless it is replaying old events.
            if (replaying && phase == Phase.OPEN) {
                ask(turn);
            }
        } else if (phase != Phase.OPEN) {
            answer.ifPresent(known -> sight = sight.heard(known, askedAt));
        } else if (answer.isEmpty()) {
            aliveAt = later(aliveAt, askedAt);
        } else if (answer.equals(knownAsIn(answer.get()))) {
            aliveAt = later(aliveAt, askedAt);
            replaying = false;
            sight = sight.confirmed(askedAt);
        } else if (!replaying) {
            sight = sight.heard(answer.get(), askedAt);
            reopen(turn);
        }
        return done(turn);
    }

    /** No valid answer arrived in time. */
    public List<Effect> unanswered(String why, Turn turn) {
        asking = false;
        if (phase == Phase.OPEN && aliveAt - askedAt <= 0) {
            fail(why, turn);
        }
        return done(turn);
    }

    /** No input arrived by {@link #wakeAtNanos}. May be called at any time. */
    public List<Effect> passed(Turn turn) {
        boolean over = turn.nanos() - phaseEndsAt >= 0;
        if (phase == Phase.OPENING && over) {
            fail("the elector did not begin its stream in time", turn);
        } else if (phase == Phase.WAITING && over) {
            open(turn);
        }
        if (!asking && turn.nanos() - silentAt() >= 0) {
            if (canAsk()) {
                ask(turn);
            } else if (phase == Phase.OPEN) {
                reopen(turn);
            }
        }
        return done(turn);
    }

    private final class Hearing implements EventReader.Sink {
        private final Turn turn;

        Hearing(Turn turn) {
            this.turn = turn;
        }

        @Override
        public void event(String type, String data) {
            if (type.equals("reset")) {
                replaying = false;
            }
            if (!type.equals("message") && !type.equals("leader")) {
                return;
            }
            Optional<Answer> answer = Answer.read(data, Optional.empty());
            boolean firstHere = !namedHere;
            namedHere = answer.isPresent();
            if (answer.isEmpty()) {
                return;
            }
            toldSinceAsked = true;
            if (replaying) {
                sight = sight.replayed(answer.get(), openedAt);
                if (canAsk() && !asking) {
                    ask(turn);
                }
            } else {
                sight = sight.heard(answer.get(), firstHere ? openedAt : turn.nanos());
            }
            tell(turn);
        }

        @Override
        public void comment() {
            if (namedHere) {
                replaying = false;
                sight = sight.confirmed(turn.nanos());
            }
        }

        @Override
        public void retry(long millis) {
            backoff.retry(millis);
        }
    }

    /** Returns the last answer, without its term if {@code answer} has none. Empty if there was none. */
    private Optional<Answer> knownAsIn(Answer answer) {
        return sight.answer()
                .map(known -> known.term().isEmpty() || answer.term().isEmpty()
                        ? new Answer(known.leader(), answer.term())
                        : known);
    }

    private long silentAt() {
        return later(aliveAt, askedAt) + settings.silenceNanos();
    }

    private boolean canAsk() {
        return settings.canAsk() == CanAsk.YES;
    }

    private void ask(Turn turn) {
        asking = true;
        askedAt = turn.nanos();
        toldSinceAsked = false;
        effects.add(new Effect.Ask());
    }

    private void open(Turn turn) {
        phase = Phase.OPENING;
        openedAt = turn.nanos();
        phaseEndsAt = turn.nanos() + settings.timeoutNanos();
        reader = new EventReader(reader.lastEventId());
        effects.add(new Effect.Open(reader.lastEventId()));
    }

    private void reopen(Turn turn) {
        effects.add(new Effect.Close());
        open(turn);
    }

    private void fail(String why, Turn turn) {
        effects.add(new Effect.Close());
        if (phase == Phase.OPEN && turn.nanos() - openedAt >= settings.silenceNanos()) {
            backoff.worked();
        }
        phase = Phase.WAITING;
        phaseEndsAt = turn.nanos() + backoff.failed(turn.random());
        if (backoff.isFirstFailure()) {
            effects.add(new Effect.Trouble(why));
        }
        if (canAsk() && !asking) {
            ask(turn);
        }
    }

    private void tell(Turn turn) {
        LeaderState now = sight.state(turn.nanos());
        if (!now.equals(told)) {
            told = now;
            effects.add(new Effect.Tell(now));
        }
    }

    private List<Effect> done(Turn turn) {
        tell(turn);
        List<Effect> all = List.copyOf(effects);
        effects.clear();
        return all;
    }

    private static long later(long one, long other) {
        return one - other > 0 ? one : other;
    }

    private static long earlier(long one, long other) {
        return one - other < 0 ? one : other;
    }
}
