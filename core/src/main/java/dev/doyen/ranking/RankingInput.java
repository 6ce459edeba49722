package dev.doyen.ranking;

import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What can happen to a ranking machine. Every input carries the clocks, read once by the driver as it came in. */
public sealed interface RankingInput {

    Moment at();

    void accept(Cases cases);

    /** One method per input, so that a case forgotten does not compile. */
    interface Cases {
        void connected(Connected input);

        void disconnected(Disconnected input);

        void detached(Detached input);

        void syncStarted(SyncStarted input);

        void syncComplete(SyncComplete input);

        void memberHeard(MemberHeard input);

        void acked(Acked input);

        void refused(Refused input);

        void failed(Failed input);

        void fenced(Fenced input);

        void pingAnswered(PingAnswered input);

        void termSeen(TermSeen input);

        void tick(Tick input);

        void resign(Resign input);

        void standBack(StandBack input);

        void stand(Stand input);

        void freeze(Freeze input);

        void thaw(Thaw input);

        void close(Close input);
    }

    /** What the channel told of a member. */
    enum Action {
        ENTER,
        UPDATE,
        /** As a sync repeats it. */
        PRESENT,
        LEAVE
    }

    /** The transport is connected; {@code key} names this member there. Another key is a new connection (rule K12). */
    record Connected(Moment at, String key) implements RankingInput {
        @Override
        public void accept(Cases cases) {
            cases.connected(this);
        }
    }

    /** The connection was lost, and may be resumed. */
    record Disconnected(Moment at) implements RankingInput {
        @Override
        public void accept(Cases cases) {
            cases.disconnected(this);
        }
    }

    /** The channel was lost: nothing is known of it any more. */
    record Detached(Moment at) implements RankingInput {
        @Override
        public void accept(Cases cases) {
            cases.detached(this);
        }
    }

    /** The presence set is incomplete until {@link SyncComplete}. */
    record SyncStarted(Moment at) implements RankingInput {
        @Override
        public void accept(Cases cases) {
            cases.syncStarted(this);
        }
    }

    /** The snapshot is complete. What was heard since {@link SyncStarted} overrides it (rule K1). */
    record SyncComplete(Moment at, List<Member> members) implements RankingInput {
        public SyncComplete {
            members = List.copyOf(members);
        }

        @Override
        public void accept(Cases cases) {
            cases.syncComplete(this);
        }
    }

    /** The channel told of a member, this one included. */
    record MemberHeard(Moment at, Action action, Member member) implements RankingInput {
        @Override
        public void accept(Cases cases) {
            cases.memberHeard(this);
        }
    }

    /** A write was acknowledged. That decides nothing (rules K2, K8). */
    record Acked(Moment at, long seq) implements RankingInput {
        @Override
        public void accept(Cases cases) {
            cases.acked(this);
        }
    }

    /** The hub refused a claim. {@code term}: of who holds it, if it was said. */
    record Refused(Moment at, long seq, OptionalLong term) implements RankingInput {
        @Override
        public void accept(Cases cases) {
            cases.refused(this);
        }
    }

    /** A write failed, for whatever other reason. */
    record Failed(Moment at, long seq) implements RankingInput {
        @Override
        public void accept(Cases cases) {
            cases.failed(this);
        }
    }

    /** The hub refused a message fenced with this term (rule K17). */
    record Fenced(Moment at, long term) implements RankingInput {
        @Override
        public void accept(Cases cases) {
            cases.fenced(this);
        }
    }

    /** A ping was answered that was sent at {@code sent}. */
    record PingAnswered(Moment at, Moment sent) implements RankingInput {
        @Override
        public void accept(Cases cases) {
            cases.pingAnswered(this);
        }
    }

    /**
     * A term was claimed that the set does not show: of a member that is gone. For transports where members remember what no
     * hub does. Counted like any other (rule K6); no effect comes of it at once.
     */
    record TermSeen(Moment at, long term) implements RankingInput {
        @Override
        public void accept(Cases cases) {
            cases.termSeen(this);
        }
    }

    /** The moment came that the last step asked for, or any other: a tick too many does no harm. */
    record Tick(Moment at) implements RankingInput {
        @Override
        public void accept(Cases cases) {
            cases.tick(this);
        }
    }

    /**
     * Stop leading, and rest (rule K14). Nothing happens if there is no claim.
     *
     * @param cooldown for so long, 0 to 1 h; empty for as long as the settings say
     */
    record Resign(Moment at, Optional<Duration> cooldown) implements RankingInput {
        public Resign {
            cooldown.ifPresent(RankingSettings::checkCooldown);
        }

        /** Rests for as long as the settings say. */
        public Resign(Moment at) {
            this(at, Optional.empty());
        }

        @Override
        public void accept(Cases cases) {
            cases.resign(this);
        }
    }

    /** Stop leading, for this reason, and do not stand until {@link Stand}; the member stays in the set (rule V9). */
    record StandBack(Moment at, LossCause reason) implements RankingInput {
        @Override
        public void accept(Cases cases) {
            cases.standBack(this);
        }
    }

    /** Stand again, which a member does to begin with. Without effect if it is no candidate by its settings. */
    record Stand(Moment at) implements RankingInput {
        @Override
        public void accept(Cases cases) {
            cases.stand(this);
        }
    }

    /** The process is about to stand still: stop, then leave (rule K16). */
    record Freeze(Moment at) implements RankingInput {
        @Override
        public void accept(Cases cases) {
            cases.freeze(this);
        }
    }

    /** It goes on, and enters as a follower. */
    record Thaw(Moment at) implements RankingInput {
        @Override
        public void accept(Cases cases) {
            cases.thaw(this);
        }
    }

    /** The end: stop for this reason, then leave. */
    record Close(Moment at, LossCause reason) implements RankingInput {
        @Override
        public void accept(Cases cases) {
            cases.close(this);
        }
    }
}
