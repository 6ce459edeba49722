package dev.doyen.server.member;

import dev.doyen.Candidate;
import dev.doyen.elector.ElectionView;
import dev.doyen.lease.Explanation;
import dev.doyen.lease.Explanation.Reason;
import dev.doyen.server.console.Reigns;
import dev.doyen.server.console.Scene;
import dev.doyen.server.http.Audience;
import io.netty.channel.EventLoop;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A process that stands in an election over a membership, to those who look at its console, which all see the same.
 *
 * <p>Threads: what is shown belongs to one event loop; the methods may be called on any thread.
 */
final class MemberScene implements Scene<Audience> {

    private static final Explanation NOT_JOINED =
            new Explanation(Reason.NOT_SEEN, "this process has not joined the others yet");

    private final KnownElection known;
    private final MemberJson json;
    private final EventLoop loop;

    /** Belongs to the loop. */
    private final Reigns reigns = new Reigns(Reigns.KEPT);

    MemberScene(MemberJson json, KnownElection known, EventLoop loop) {
        this.known = known;
        this.json = json;
        this.loop = loop;
    }

    /** The election has another leader, or none. */
    void electionChanged(ElectionView view) {
        execute(() -> reigns.changed(view));
    }

    @Override
    public void look(Consumer<Function<Audience, String>> onlooker) {
        execute(() -> onlooker.accept(audience -> json.of(
                System.currentTimeMillis(),
                known.view(),
                known.candidate().map(Candidate::explain).orElse(NOT_JOINED),
                reigns)));
    }

    private void execute(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            // The sockets are closed: there is nobody left to show anything to.
        }
    }
}
