package dev.doyen.client.state;

import dev.doyen.client.state.WatchSettings.CanRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Watches one election through an event stream and through single requests.
 *
 * <p>The machine follows these rules:
 *
 * <ul>
 *   <li>An answer is valid for {@code maxAge}. An event of the stream renews the answer, and so does a later comment of
 *       the same stream. A request with the same answer also renews the answer. The age of the answer then counts from
 *       the send time of the request.
 *   <li>If the stream is silent for half of {@code maxAge}, the machine sends a request. The machine does not reopen
 *       the stream first. A stream of the NAIS elector is silent without a fault, because this elector sends no
 *       comments. The NAIS elector also stores state for each stream that a client opens. The machine reopens the
 *       stream if no request can be sent, if no answer arrives, or if the answer differs.
 *   <li>Bytes that arrive after {@code maxAge} of silence are ignored, because they may have been in a buffer while
 *       this process was suspended. The machine then reopens the stream.
 *   <li>A replay contains past events. After a replay, the machine reports that this process leads only if a request or
 *       a comment has confirmed the leadership.
 *   <li>A stream that ends, cannot be parsed or does not begin is reopened after a backoff that doubles. During the
 *       backoff, the machine sends requests.
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
    private LeaderState reportedState;
    private Phase phase = Phase.WAITING;
    private EventReader reader = new EventReader("");

    /** The time at which the backoff or the opening ends. The field is unused while the stream is open. */
    private long phaseEndsAt;

    private long openedAt;

    /** The time at which the stream or an answer last proved that the stream works. */
    private long aliveAt;

    /** True from the first failure of the stream until the next event that names a leader. */
    private boolean failing;

    private boolean replaying;
    private boolean namedHere;

    private boolean requesting;
    private long requestedAt;
    private boolean updatedSinceRequest;

    public WatchMachine(WatchSettings settings) {
        this.settings = settings;
        this.backoff = new Backoff(settings.silenceNanos());
        this.lastAnswer = LastAnswer.nothing(settings.self(), settings.maxAgeNanos(), settings.whenUnknown());
        this.reportedState = lastAnswer.state(0);
    }

    /** Returns the last answer, which other threads may read. */
    public LastAnswer lastAnswer() {
        return lastAnswer;
    }

    /** Returns the time by which {@link #passed} must be called if no other input arrives. */
    public long wakeAtNanos(long nowNanos) {
        long wake = nowNanos + settings.maxAgeNanos();
        if (phase != Phase.OPEN) {
            wake = earlier(wake, phaseEndsAt);
        }
        if (!requesting && (phase == Phase.OPEN || canRequest())) {
            wake = earlier(wake, silentAt());
        }
        if (lastAnswer.isFresh(nowNanos)) {
            wake = earlier(wake, lastAnswer.atNanos() + settings.maxAgeNanos());
        }
        return wake;
    }

    /** Starts the watch, which opens the stream. */
    public List<Effect> start(StepContext context) {
        aliveAt = context.nanos();
        requestedAt = context.nanos();
        open(context);
        return done(context);
    }

    /** Records that the head of the stream's response has arrived. */
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

    /** Records that bytes of the stream have arrived. */
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
            reader.read(bytes, new ReceivedEvents(context));
        } catch (IllegalArgumentException e) {
            fail(String.valueOf(e.getMessage()), context);
        }
        return done(context);
    }

    /** Records that the stream has ended or could not be opened. */
    public List<Effect> ended(String why, StepContext context) {
        if (phase != Phase.WAITING) {
            fail(why, context);
        }
        return done(context);
    }

    /**
     * Records that an answer to the request has arrived.
     *
     * @param answer the answer; empty if the elector has not found a leader yet
     */
    public List<Effect> answered(Optional<Answer> answer, StepContext context) {
        requesting = false;
        if (updatedSinceRequest) {
            // The events of the stream are newer than the answer, unless the stream replays old events.
            if (replaying && phase == Phase.OPEN) {
                request(context);
            }
        } else if (phase != Phase.OPEN) {
            answer.ifPresent(known -> lastAnswer = lastAnswer.received(known, requestedAt));
        } else if (answer.isEmpty()) {
            aliveAt = later(aliveAt, requestedAt);
        } else if (answer.equals(knownAsIn(answer.get()))) {
            aliveAt = later(aliveAt, requestedAt);
            replaying = false;
            lastAnswer = lastAnswer.confirmed(requestedAt);
        } else if (!replaying) {
            lastAnswer = lastAnswer.received(answer.get(), requestedAt);
            reopen(context);
        }
        return done(context);
    }

    /** Records that no valid answer has arrived in time. */
    public List<Effect> unanswered(String why, StepContext context) {
        requesting = false;
        if (phase == Phase.OPEN && aliveAt - requestedAt <= 0) {
            fail(why, context);
        }
        return done(context);
    }

    /**
     * Records that time has passed. Call this method if no input has arrived by {@link #wakeAtNanos}, or at any other
     * time.
     */
    public List<Effect> passed(StepContext context) {
        boolean over = context.nanos() - phaseEndsAt >= 0;
        if (phase == Phase.OPENING && over) {
            fail("the elector did not begin its stream in time", context);
        } else if (phase == Phase.WAITING && over) {
            open(context);
        }
        if (!requesting && context.nanos() - silentAt() >= 0) {
            if (canRequest()) {
                request(context);
            } else if (phase == Phase.OPEN) {
                reopen(context);
            }
        }
        return done(context);
    }

    private final class ReceivedEvents implements EventReader.Sink {
        private final StepContext context;

        ReceivedEvents(StepContext context) {
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
            if (failing) {
                failing = false;
                effects.add(new Effect.Recovered());
            }
            updatedSinceRequest = true;
            if (replaying) {
                lastAnswer = lastAnswer.replayed(answer.get(), openedAt);
                if (canRequest() && !requesting) {
                    request(context);
                }
            } else {
                lastAnswer = lastAnswer.received(answer.get(), firstHere ? openedAt : context.nanos());
            }
            notifyListener(context);
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

    /**
     * Returns the last answer in a form that can be compared with {@code answer}. If either of the two has no term, the
     * result takes the term of {@code answer}. The result is empty if no answer has arrived yet.
     */
    private Optional<Answer> knownAsIn(Answer answer) {
        return lastAnswer
                .answer()
                .map(known -> known.term().isEmpty() || answer.term().isEmpty()
                        ? new Answer(known.leader(), answer.term())
                        : known);
    }

    private long silentAt() {
        return later(aliveAt, requestedAt) + settings.silenceNanos();
    }

    private boolean canRequest() {
        return settings.canRequest() == CanRequest.YES;
    }

    private void request(StepContext context) {
        requesting = true;
        requestedAt = context.nanos();
        updatedSinceRequest = false;
        effects.add(new Effect.Request());
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
        if (!failing) {
            failing = true;
            effects.add(new Effect.Trouble(why));
        }
        if (canRequest() && !requesting) {
            request(context);
        }
    }

    private void notifyListener(StepContext context) {
        LeaderState now = lastAnswer.state(context.nanos());
        if (!now.equals(reportedState)) {
            reportedState = now;
            effects.add(new Effect.Notify(now));
        }
    }

    private List<Effect> done(StepContext context) {
        notifyListener(context);
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
