package dev.doyen.client.state;

import dev.doyen.client.state.WatchSettings.CanAsk;
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

    private LastAnswer lastAnswer;
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
        this.lastAnswer = LastAnswer.nothing(settings.self(), settings.maxAgeNanos(), settings.whenUnknown());
        this.told = lastAnswer.state(0);
    }

    /** Returns the last answer. Other threads may read it. */
    public LastAnswer lastAnswer() {
        return lastAnswer;
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
        if (lastAnswer.isFresh(nowNanos)) {
            wake = earlier(wake, lastAnswer.atNanos() + settings.maxAgeNanos());
        }
        return wake;
    }

    public List<Effect> start(StepContext context) {
        aliveAt = context.nanos();
        askedAt = context.nanos();
        open(context);
        return done(context);
    }

    /** The head of the stream's response has arrived. */
    public List<Effect> opened(int status, String contentType, StepContext context) {
        if (phase != Phase.OPENING) {
            return done(context);
        }
        if (status != 200 || !contentType.startsWith("text/event-stream")) {
            fail(
                    "the elector answered with status " + status + " and type \"" + contentType
                            + "\" where 200 and text/event-stream were expected",
                    context);
            return done(context);
        }
        phase = Phase.OPEN;
        aliveAt = context.nanos();
        replaying = !reader.lastEventId().isEmpty();
        namedHere = false;
        return done(context);
    }

    public List<Effect> bytes(byte[] bytes, StepContext context) {
        if (phase != Phase.OPEN) {
            return done(context);
        }
        if (context.nanos() - aliveAt >= settings.maxAgeNanos()) {
            reopen(context);
            return done(context);
        }
        aliveAt = context.nanos();
        try {
            reader.read(bytes, new Hearing(context));
        } catch (IllegalArgumentException e) {
            fail(String.valueOf(e.getMessage()), context);
        }
        return done(context);
    }

    /** The stream ended, or could not be opened. */
    public List<Effect> ended(String why, StepContext context) {
        if (phase != Phase.WAITING) {
            fail(why, context);
        }
        return done(context);
    }

    /**
     * An answer to the question has arrived.
     *
     * @param answer empty if the elector knows no leader yet
     */
    public List<Effect> answered(Optional<Answer> answer, StepContext context) {
        asking = false;
        if (toldSinceAsked) {
            // The stream is newer than the answer, unless it is replaying old events.
            if (replaying && phase == Phase.OPEN) {
                ask(context);
            }
        } else if (phase != Phase.OPEN) {
            answer.ifPresent(known -> lastAnswer = lastAnswer.heard(known, askedAt));
        } else if (answer.isEmpty()) {
            aliveAt = later(aliveAt, askedAt);
        } else if (answer.equals(knownAsIn(answer.get()))) {
            aliveAt = later(aliveAt, askedAt);
            replaying = false;
            lastAnswer = lastAnswer.confirmed(askedAt);
        } else if (!replaying) {
            lastAnswer = lastAnswer.heard(answer.get(), askedAt);
            reopen(context);
        }
        return done(context);
    }

    /** No valid answer arrived in time. */
    public List<Effect> unanswered(String why, StepContext context) {
        asking = false;
        if (phase == Phase.OPEN && aliveAt - askedAt <= 0) {
            fail(why, context);
        }
        return done(context);
    }

    /** No input arrived by {@link #wakeAtNanos}. May be called at any time. */
    public List<Effect> passed(StepContext context) {
        boolean over = context.nanos() - phaseEndsAt >= 0;
        if (phase == Phase.OPENING && over) {
            fail("the elector did not begin its stream in time", context);
        } else if (phase == Phase.WAITING && over) {
            open(context);
        }
        if (!asking && context.nanos() - silentAt() >= 0) {
            if (canAsk()) {
                ask(context);
            } else if (phase == Phase.OPEN) {
                reopen(context);
            }
        }
        return done(context);
    }

    private final class Hearing implements EventReader.Sink {
        private final StepContext context;

        Hearing(StepContext context) {
            this.context = context;
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
                lastAnswer = lastAnswer.replayed(answer.get(), openedAt);
                if (canAsk() && !asking) {
                    ask(context);
                }
            } else {
                lastAnswer = lastAnswer.heard(answer.get(), firstHere ? openedAt : context.nanos());
            }
            tell(context);
        }

        @Override
        public void comment() {
            if (namedHere) {
                replaying = false;
                lastAnswer = lastAnswer.confirmed(context.nanos());
            }
        }

        @Override
        public void retry(long millis) {
            backoff.retry(millis);
        }
    }

    /** Returns the last answer, without its term if {@code answer} has none. Empty if there was none. */
    private Optional<Answer> knownAsIn(Answer answer) {
        return lastAnswer
                .answer()
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

    private void ask(StepContext context) {
        asking = true;
        askedAt = context.nanos();
        toldSinceAsked = false;
        effects.add(new Effect.Ask());
    }

    private void open(StepContext context) {
        phase = Phase.OPENING;
        openedAt = context.nanos();
        phaseEndsAt = context.nanos() + settings.timeoutNanos();
        reader = new EventReader(reader.lastEventId());
        effects.add(new Effect.Open(reader.lastEventId()));
    }

    private void reopen(StepContext context) {
        effects.add(new Effect.Close());
        open(context);
    }

    private void fail(String why, StepContext context) {
        effects.add(new Effect.Close());
        if (phase == Phase.OPEN && context.nanos() - openedAt >= settings.silenceNanos()) {
            backoff.worked();
        }
        phase = Phase.WAITING;
        phaseEndsAt = context.nanos() + backoff.failed(context.random());
        if (backoff.isFirstFailure()) {
            effects.add(new Effect.Trouble(why));
        }
        if (canAsk() && !asking) {
            ask(context);
        }
    }

    private void tell(StepContext context) {
        LeaderState now = lastAnswer.state(context.nanos());
        if (!now.equals(told)) {
            told = now;
            effects.add(new Effect.Tell(now));
        }
    }

    private List<Effect> done(StepContext context) {
        tell(context);
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
