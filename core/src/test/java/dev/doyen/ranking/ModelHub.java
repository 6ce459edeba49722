package dev.doyen.ranking;

import dev.doyen.ranking.PresenceData.Presence;
import dev.doyen.ranking.RankingInput.Action;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A hub as a model: it orders everything, tells every attached session in that order, and keeps a lost session's member for a
 * grace. If {@code exclusive}, it grants claims as docs/spec/claims.md says, through a store that takes its time.
 */
final class ModelHub {

    static final long GRACE_MILLIS = 15_000;

    /** What a page is told. */
    sealed interface ToPage {
        record Sync(List<Presence> members) implements ToPage {}

        record Heard(Action action, Presence member) implements ToPage {}

        record Ack(long serial) implements ToPage {}

        record Nack(long serial, boolean refused, OptionalLong term) implements ToPage {}

        record Pong(long id) implements ToPage {}

        record Said(Optional<Long> fence, int number) implements ToPage {}
    }

    /** The hub's end of one connection; it outlives its sockets. */
    static final class Session {
        final String connectionId;
        final String clientId;
        final String key;
        boolean attached;
        boolean ended;
        long heardAt;
        /** Counts sockets: what was sent on an older one never arrives. */
        int socket;

        @Nullable
        Long lostAt;

        final Map<Long, ToPage> answered = new HashMap<>();
        Line line = (message, on) -> {};

        Session(String connectionId, String clientId) {
            this.connectionId = connectionId;
            this.clientId = clientId;
            this.key = PresenceData.key(connectionId, clientId);
        }
    }

    /** The way down to a page. */
    interface Line {
        void deliver(ToPage message, int socket);
    }

    private record Waiting(Session session, long serial, Object data) {}

    private record Holder(Session session, OptionalLong ttlMillis, long term) {}

    private record Silence(Session session, long until) {}

    private record Kept(String heir, long until) {}

    final Map<String, Presence> members = new HashMap<>();
    long lastTerm;
    /** How many of the next writes fail. */
    int failNext;

    /** How long what a sync says is older than its arrival. */
    LongSupplier syncMillis = () -> 0;

    private final Timeline time;
    private final boolean exclusive;
    private final LongSupplier storeMillis;
    private final Set<Session> sessions = new LinkedHashSet<>();
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

    private @Nullable Holder holder;
    private @Nullable Silence silence;
    private @Nullable Kept kept;
    private @Nullable Waiting asking;

    ModelHub(Timeline time, boolean exclusive, LongSupplier storeMillis) {
        this.time = time;
        this.exclusive = exclusive;
        this.storeMillis = storeMillis;
    }

    void open(Session session) {
        sessions.add(session);
        session.lostAt = null;
        session.heardAt = time.now;
    }

    /** Somebody who is on the channel for reasons of its own, and listens to nobody. */
    Session stranger(String clientId, Object data) {
        var session = new Session(clientId, clientId);
        open(session);
        put(session, 1, data, false);
        return session;
    }

    /** The socket broke; after the grace the member is removed, unless the session came back. */
    void socketLost(Session session) {
        if (session.ended) {
            return;
        }
        Long lostAt = time.now;
        session.lostAt = lostAt;
        session.attached = false;
        time.after(GRACE_MILLIS, () -> {
            if (lostAt.equals(session.lostAt)) {
                remove(session);
            }
        });
    }

    /** The connection is over: closed by its client, or forgotten. */
    void end(Session session) {
        remove(session);
        session.ended = true;
        sessions.remove(session);
    }

    void heardFrom(Session session) {
        session.heardAt = time.now;
    }

    void attach(Session session) {
        session.attached = true;
        // In no order that a client could count on.
        List<Presence> all = members.values().stream()
                .sorted(Comparator.comparing(Presence::connectionId))
                .toList();
        int socket = session.socket;
        long wait = syncMillis.getAsLong();
        if (wait == 0) {
            send(session, new ToPage.Sync(all));
            return;
        }
        // What happens meanwhile is told at once, and overtakes it.
        time.after(wait, () -> {
            if (session.socket == socket) {
                send(session, new ToPage.Sync(all));
            }
        });
    }

    void ping(Session session, long id) {
        send(session, new ToPage.Pong(id));
    }

    void leave(Session session, long serial) {
        wordOf(session);
        remove(session);
        answer(session, serial, new ToPage.Ack(serial));
    }

    /** C10: who does not hold the claim in that term is refused; without a fence nobody is. */
    void say(Session session, Optional<Long> fence, int number) {
        Holder now = holder;
        boolean stale = exclusive
                && fence.isPresent()
                && (now == null || now.session() != session || now.term() != fence.get());
        if (!stale) {
            sessions.stream().filter(one -> one.attached).forEach(one -> send(one, new ToPage.Said(fence, number)));
        }
    }

    void put(Session session, long serial, @Nullable Object data, boolean reentry) {
        ToPage old = session.answered.get(serial);
        if (old != null) {
            send(session, old);
            return;
        }
        if (failNext > 0) {
            failNext--;
            answer(session, serial, new ToPage.Nack(serial, false, OptionalLong.empty()));
            return;
        }
        if (reentry && members.containsKey(session.key)) {
            answer(session, serial, new ToPage.Ack(serial));
            return;
        }
        boolean claims = isClaim(data);
        if (exclusive && claims && data != null && !holds(session)) {
            claim(new Waiting(session, serial, data));
            return;
        }
        if (!claims) {
            release(session);
            wordOf(session);
        }
        Holder now = holder;
        apply(session, data, now != null && now.session() == session ? Map.of("doyen-term", now.term()) : Map.of());
        answer(session, serial, new ToPage.Ack(serial));
    }

    /** C16: an order, for a client that is present. */
    void transfer(String heir) {
        Holder now = holder;
        if (now == null
                || members.values().stream().noneMatch(one -> one.clientId().equals(heir))) {
            return;
        }
        long ttl = now.ttlMillis().orElse(0) * Timeline.MILLI;
        silence = new Silence(now.session(), now.session().heardAt + ttl);
        kept = new Kept(heir, now.session().heardAt + ttl + ttl / 2);
        demote(now.session(), Map.of("doyen-reason", "transferred", "doyen-heir", heir));
    }

    private static boolean isClaim(@Nullable Object data) {
        return PresenceData.read(new Presence("", "", 0, data, Map.of())).claims();
    }

    private boolean holds(Session session) {
        return holder != null && holder.session() == session;
    }

    private void claim(Waiting one) {
        boolean early = silence != null && time.now < silence.until();
        boolean keptForAnother = kept != null
                && time.now < kept.until()
                && !one.session().clientId.equals(kept.heir());
        if (holder != null || early || keptForAnother) {
            answer(one.session(), one.serial(), new ToPage.Nack(one.serial(), true, OptionalLong.of(lastTerm)));
            return;
        }
        if (asking != null) {
            waiting.add(one);
            return;
        }
        asking = one;
        time.after(storeMillis.getAsLong(), () -> {
            if (one.equals(asking)) {
                grant(one);
            }
        });
    }

    private void grant(Waiting one) {
        asking = null;
        kept = null;
        OptionalLong ttl = one.data() instanceof Map<?, ?> map && map.get("ttl") instanceof Long millis
                ? OptionalLong.of(millis)
                : OptionalLong.empty();
        holder = new Holder(one.session(), ttl, ++lastTerm);
        apply(one.session(), one.data(), Map.of("doyen-term", lastTerm));
        answer(one.session(), one.serial(), new ToPage.Ack(one.serial()));
        watchHolder();
        nextClaim();
    }

    private void nextClaim() {
        while (asking == null && !waiting.isEmpty()) {
            Waiting next = waiting.remove();
            if (!next.session().ended) {
                claim(next);
            }
        }
    }

    /** C7: a holder with a ttl must be heard at least so often. */
    private void watchHolder() {
        Holder now = holder;
        if (now == null || now.ttlMillis().isEmpty()) {
            return;
        }
        long ttl = now.ttlMillis().getAsLong() * Timeline.MILLI;
        time.at(now.session().heardAt + ttl, () -> {
            if (!now.equals(holder)) {
                return;
            }
            if (time.now < now.session().heardAt + ttl) {
                watchHolder();
            } else {
                demote(now.session(), Map.of("doyen-reason", "silent"));
            }
        });
    }

    /** C19: it has stopped, so the heir's time begins. */
    private void wordOf(Session session) {
        if (silence == null || silence.session() != session || time.now >= silence.until()) {
            return;
        }
        if (kept != null) {
            kept = new Kept(kept.heir(), time.now + kept.until() - silence.until());
        }
        silence = null;
    }

    private void demote(Session session, Map<String, String> headers) {
        holder = null;
        Presence member = members.get(session.key);
        if (member == null) {
            return;
        }
        Object data = member.data();
        if (data instanceof Map<?, ?> map) {
            var follower = new HashMap<Object, Object>(map);
            follower.put("role", "F");
            data = follower;
        }
        var now = new Presence(member.clientId(), member.connectionId(), time.millis(), data, headers);
        members.put(session.key, now);
        tell(new ToPage.Heard(Action.UPDATE, now), session);
    }

    private void release(Session session) {
        if (holds(session)) {
            holder = null;
        }
        if (asking != null && asking.session() == session) {
            Waiting gone = asking;
            asking = null;
            answer(session, gone.serial(), new ToPage.Nack(gone.serial(), false, OptionalLong.empty()));
            nextClaim();
        }
        for (Waiting one : new ArrayList<>(waiting)) {
            if (one.session() == session) {
                waiting.remove(one);
                answer(session, one.serial(), new ToPage.Nack(one.serial(), false, OptionalLong.empty()));
            }
        }
    }

    private void remove(Session session) {
        release(session);
        Presence member = members.remove(session.key);
        if (member != null) {
            var left = new Presence(
                    member.clientId(), member.connectionId(), time.millis(), member.data(), member.headers());
            tell(new ToPage.Heard(Action.LEAVE, left), session);
        }
    }

    private void apply(Session session, @Nullable Object data, Map<String, ?> headers) {
        var member = new Presence(session.clientId, session.connectionId, time.millis(), data, headers);
        Action action = members.put(session.key, member) == null ? Action.ENTER : Action.UPDATE;
        tell(new ToPage.Heard(action, member), session);
    }

    private void answer(Session session, long serial, ToPage answer) {
        session.answered.put(serial, answer);
        send(session, answer);
    }

    /** To all who are attached, and always to the member itself. */
    private void tell(ToPage message, Session about) {
        for (Session session : List.copyOf(sessions)) {
            if (session.attached || session == about) {
                send(session, message);
            }
        }
    }

    private void send(Session session, ToPage message) {
        if (session.lostAt == null) {
            session.line.deliver(message, session.socket);
        }
    }
}
