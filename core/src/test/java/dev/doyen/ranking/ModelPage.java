package dev.doyen.ranking;

import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.fence.Fence;
import dev.doyen.fence.StaleTermException;
import dev.doyen.ranking.ModelHub.Session;
import dev.doyen.ranking.ModelHub.ToPage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A process: a brain, a driver for simulated time with clocks of its own, and what an SDK does by itself on a reconnect. */
final class ModelPage {

    final String clientId;
    final Brain brain;
    /** How long what it sends, and what it is sent, is under way: in milliseconds. */
    LongSupplier up = () -> 5;

    LongSupplier down = () -> 5;
    /** What other pages' messages said, but for those that were refused by their fence (K17). */
    final List<Integer> heard = new ArrayList<>();

    /** StartWork less StopWork: how many workers run here. */
    int workers;

    int elections;
    /** How many times it wrote into the set. */
    int writes;
    /** Whether it wrote, as follower or to leave, while its work went on (K11). */
    boolean wroteBeforeItStopped;
    /** How many of its next writes its SDK loses, and says nothing. */
    int loseNext;
    /** When its last cooldown is over, by the clock of the world. */
    long restsUntil;
    /** Whether it was told that it is about to be frozen, and is not thawed. */
    boolean warned;

    boolean killed;
    boolean closed;
    boolean frozen;
    /** From then on, in nanoseconds, its wall clock is an hour behind. */
    long wallSetBackAt = Long.MAX_VALUE;

    private final Timeline time;
    private final ModelHub hub;
    private final Function<Integer, String> connectionIds;
    private final double rate;
    private final long origin;
    private final Fence fence = Fence.inMemory();
    private final Map<Long, Written> unanswered = new LinkedHashMap<>();
    private final Map<Long, Moment> pings = new HashMap<>();
    private final List<Runnable> held = new ArrayList<>();
    private final List<Runnable> queued = new ArrayList<>();
    private @Nullable Session session;
    private @Nullable Object remembered;
    private boolean present;
    private boolean isUp;
    private int connections;
    private long serial;
    private long timer;
    private long lastUp;
    private long lastDown;
    private @Nullable Long suspendedAt;
    private long suspendedNanos;

    private record Written(@Nullable Object data, long seq, boolean leave) {}

    ModelPage(
            String clientId,
            Timeline time,
            ModelHub hub,
            double rate,
            long origin,
            Function<Integer, String> connectionIds,
            Function<Moment, Brain> brain) {
        this.clientId = clientId;
        this.time = time;
        this.hub = hub;
        this.rate = rate;
        this.origin = origin;
        this.connectionIds = connectionIds;
        this.brain = brain.apply(moment());
    }

    boolean alive() {
        return !killed && !closed;
    }

    /** Whether it would act as leader at this instant, by its own clocks and whatever it has not heard yet. */
    boolean leads() {
        return !killed && brain.leadsAt(moment());
    }

    /** What names it on its present connection. */
    String key() {
        Session now = session;
        return now == null ? "" : now.key;
    }

    boolean working() {
        return !killed && !frozen && workers > 0;
    }

    void connect() {
        var fresh = new Session(connectionIds.apply(++connections), clientId);
        session = fresh;
        openSocket(fresh);
    }

    /** The line goes dead: nothing more arrives either way; each side notices in its own time. */
    void cut(long backAfterMillis, boolean forgotten, long noticedByHub, long noticedHere) {
        Session now = session;
        if (now == null || !isUp || !alive()) {
            return;
        }
        isUp = false;
        int socket = now.socket++;
        time.after(noticedByHub, () -> {
            if (now.socket == socket + 1) {
                hub.socketLost(now);
            }
        });
        time.after(noticedHere, () -> {
            if (session == now && !isUp) {
                awake(() -> feed(new RankingInput.Disconnected(moment())));
            }
        });
        time.after(backAfterMillis, () -> comeBack(now, forgotten));
    }

    /** Stands still; {@code suspended}, its monotonic clock does so too. The socket stays open. */
    void freeze(long millis, boolean isWarned, boolean suspended) {
        if (!alive() || frozen) {
            return;
        }
        warned = isWarned;
        if (warned) {
            feed(new RankingInput.Freeze(moment()));
        }
        frozen = true;
        suspendedAt = suspended ? time.now : null;
        time.after(millis, () -> {
            frozen = false;
            warned = false;
            if (suspendedAt != null) {
                suspendedNanos += time.now - suspendedAt;
                suspendedAt = null;
            }
            if (isWarned) {
                feed(new RankingInput.Thaw(moment()));
            }
            List<Runnable> waiting = List.copyOf(held);
            held.clear();
            waiting.forEach(Runnable::run);
        });
    }

    /** The process dies; the hub sees its socket break. */
    void kill() {
        Session now = session;
        killed = true;
        if (now != null && isUp) {
            now.socket++;
            time.after(100, () -> hub.socketLost(now));
        }
    }

    void resign() {
        awake(() -> {
            if (leads()) {
                restsUntil =
                        time.now + (long) (RankingSettings.DEFAULT.cooldown().toNanos() / rate);
            }
            feed(new RankingInput.Resign(moment()));
        });
    }

    void close() {
        Session now = session;
        if (!alive() || frozen) {
            return;
        }
        feed(new RankingInput.Close(moment(), LossCause.CLOSED));
        closed = true;
        if (now != null && isUp) {
            time.after(900, () -> hub.end(now));
        }
    }

    /** If it leads it says a number, as its work. A message that cannot be sent waits in the SDK until it can. */
    void say(int number) {
        if (!leads() || frozen) {
            return;
        }
        Optional<Long> term = brain.fence();
        Runnable saying = () -> send(on -> hub.say(on, term, number));
        if (isUp) {
            saying.run();
        } else {
            queued.add(saying);
        }
    }

    Moment moment() {
        long awake = (suspendedAt == null ? time.now : suspendedAt) - suspendedNanos;
        long setBack = time.now >= wallSetBackAt ? 3_600_000 : 0;
        return new Moment(origin + (long) (awake * rate), (long) (time.millis() * rate) - setBack);
    }

    private void comeBack(Session from, boolean forgotten) {
        if (killed || session != from) {
            return;
        }
        if (closed) {
            hub.end(from);
        } else if (forgotten || from.ended) {
            // The hub does not know the connection any more. Its old member may still be in its grace.
            unanswered.clear();
            pings.clear();
            if (from.lostAt == null) {
                hub.socketLost(from);
            }
            connect();
        } else {
            openSocket(from);
        }
    }

    private void openSocket(Session on) {
        isUp = true;
        int socket = ++on.socket;
        on.line = (message, sentOn) -> {
            if (sentOn != socket || on.socket != socket) {
                return;
            }
            lastDown = Math.max(lastDown, time.now + down.getAsLong() * Timeline.MILLI);
            time.at(lastDown, () -> {
                if (on.socket == socket && session == on) {
                    awake(() -> receive(message));
                }
            });
        };
        hub.open(on);
        awake(() -> {
            feed(new RankingInput.Connected(moment(), on.key));
            feed(new RankingInput.SyncStarted(moment()));
        });
        send(hub::attach);
        unanswered.forEach((number, written) -> send(to -> repeat(to, number, written)));
        Object again = remembered;
        if (present) {
            long number = ++serial;
            send(to -> hub.put(to, number, again, true));
        }
        List<Runnable> waiting = List.copyOf(queued);
        queued.clear();
        waiting.forEach(Runnable::run);
    }

    private void repeat(Session to, long number, Written written) {
        if (written.leave()) {
            hub.leave(to, number);
        } else {
            hub.put(to, number, written.data(), false);
        }
    }

    private void receive(ToPage message) {
        if (message instanceof ToPage.Sync sync) {
            feed(new RankingInput.SyncComplete(
                    moment(), sync.members().stream().map(PresenceData::read).toList()));
        } else if (message instanceof ToPage.Heard heardOf) {
            Member member = PresenceData.read(heardOf.member());
            if (session != null && member.key().equals(session.key) && heardOf.action() != RankingInput.Action.LEAVE) {
                remembered = heardOf.member().data();
                present = true;
            }
            feed(new RankingInput.MemberHeard(moment(), heardOf.action(), member));
        } else if (message instanceof ToPage.Pong pong) {
            Moment sent = pings.remove(pong.id());
            if (sent != null) {
                feed(new RankingInput.PingAnswered(moment(), sent));
            }
        } else if (message instanceof ToPage.Ack ack) {
            Written written = unanswered.remove(ack.serial());
            if (written != null && !written.leave()) {
                feed(new RankingInput.Acked(moment(), written.seq()));
            }
        } else if (message instanceof ToPage.Nack nack) {
            Written written = unanswered.remove(nack.serial());
            if (written != null && nack.refused()) {
                feed(new RankingInput.Refused(moment(), written.seq(), nack.term()));
            } else if (written != null) {
                feed(new RankingInput.Failed(moment(), written.seq()));
            }
        } else if (message instanceof ToPage.Said said) {
            hear(said);
        }
    }

    private void hear(ToPage.Said said) {
        try {
            said.fence().ifPresent(term -> fence.admit("channel", term));
            heard.add(said.number());
        } catch (StaleTermException stale) {
            // K17: an old leader's message is dropped.
        }
    }

    private void feed(RankingInput input) {
        if (killed || closed) {
            return;
        }
        Brain.Answer answer = brain.take(input);
        long mine = ++timer;
        if (answer.wakeAtNanos() != Long.MAX_VALUE) {
            long wait = Math.max(0, (long) ((answer.wakeAtNanos() - moment().nanos()) / rate)) + 10_000;
            time.at(
                    time.now + wait,
                    () -> awake(() -> {
                        if (mine == timer) {
                            feed(new RankingInput.Tick(moment()));
                        }
                    }));
        }
        answer.effects().forEach(this::carryOut);
    }

    private void carryOut(RankingEffect effect) {
        wroteBeforeItStopped |=
                workers > 0 && (effect instanceof RankingEffect.Follow || effect instanceof RankingEffect.Leave);
        if (effect instanceof RankingEffect.Follow follow) {
            put(brain.data(follow), follow.seq());
        } else if (effect instanceof RankingEffect.Claim claim) {
            put(brain.data(claim), claim.seq());
        } else if (effect instanceof RankingEffect.Leave) {
            present = false;
            long number = ++serial;
            unanswered.put(number, new Written(null, 0, true));
            send(on -> hub.leave(on, number));
        } else if (effect instanceof RankingEffect.Ping) {
            long id = ++serial;
            pings.put(id, moment());
            send(on -> hub.ping(on, id));
        } else if (effect instanceof RankingEffect.StartWork) {
            workers++;
            elections++;
        } else if (effect instanceof RankingEffect.StopWork) {
            workers--;
        }
    }

    private void put(@Nullable Object data, long seq) {
        writes++;
        if (loseNext > 0) {
            loseNext--;
            return;
        }
        long number = ++serial;
        unanswered.put(number, new Written(data, seq, false));
        send(on -> hub.put(on, number, data, false));
    }

    private interface Sending {
        void on(Session session);
    }

    private void send(Sending what) {
        Session on = session;
        if (on == null || !isUp) {
            return;
        }
        int socket = on.socket;
        lastUp = Math.max(lastUp, time.now + up.getAsLong() * Timeline.MILLI);
        time.at(lastUp, () -> {
            if (on.socket == socket && !on.ended) {
                hub.heardFrom(on);
                what.on(on);
            }
        });
    }

    private void awake(Runnable what) {
        if (frozen) {
            held.add(what);
        } else {
            what.run();
        }
    }
}
