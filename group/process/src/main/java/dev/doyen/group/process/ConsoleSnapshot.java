package dev.doyen.group.process;

import dev.doyen.elector.ElectionView;
import dev.doyen.elector.console.ConsoleContent;
import dev.doyen.elector.console.LeadershipLog;
import dev.doyen.elector.http.Audience;
import dev.doyen.event.Explanation;
import dev.doyen.event.Explanation.Reason;
import dev.doyen.group.RingCandidate;
import io.netty.channel.EventLoop;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The state of a ring process that its console displays. The state is the same for all viewers.
 *
 * <p>Threads: one event loop owns the state. The methods may be called from any thread.
 */
final class ConsoleSnapshot implements ConsoleContent<Audience> {

    private static final Explanation NOT_JOINED =
            new Explanation(Reason.NOT_SEEN, "this process has not joined the other members yet");

    private final KnownElection known;
    private final MemberJson json;
    private final EventLoop loop;

    /** The latest leaderships, which only the event loop reads and writes. */
    private final LeadershipLog leaderships = new LeadershipLog(LeadershipLog.KEPT);

    ConsoleSnapshot(MemberJson json, KnownElection known, EventLoop loop) {
        this.known = known;
        this.json = json;
        this.loop = loop;
    }

    /** Records a change of the leader for the list of recent leaderships. */
    void electionChanged(ElectionView view) {
        execute(() -> leaderships.changed(view));
    }

    @Override
    public void look(Consumer<Function<Audience, String>> observer) {
        execute(() -> observer.accept(audience -> json.of(
                System.currentTimeMillis(),
                known.view(),
                known.candidate().map(RingCandidate::explain).orElse(NOT_JOINED),
                leaderships)));
    }

    private void execute(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            // The event loop has shut down, so no viewer is connected.
        }
    }
}
