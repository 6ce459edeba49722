package dev.doyen.hub.server.console;

import dev.doyen.elector.ElectionView;
import dev.doyen.elector.console.ConsoleContent;
import dev.doyen.elector.console.LeadershipLog;
import dev.doyen.hub.server.claims.Claims;
import dev.doyen.hub.server.websocket.HubLoop;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The state of a hub as its console shows it.
 *
 * <p>Each viewer is represented by the set of channels for which it may send admin commands.
 *
 * <p>Threads: the hub's thread owns the state; the methods may be called on any thread.
 */
public final class HubConsoleContent implements ConsoleContent<Predicate<String>> {

    private static final int REFUSALS_KEPT = 100;

    private final HubLoop hub;

    // The hub's thread owns both.
    private final LeadershipLog leaderships = new LeadershipLog(LeadershipLog.KEPT);
    private final ConsoleJson json;

    public HubConsoleContent(HubLoop hub, Claims claims) {
        this.hub = hub;
        var figures = new Figures(REFUSALS_KEPT, System::currentTimeMillis);
        this.json = new ConsoleJson(figures, leaderships, claims);
        hub.tapInto(figures);
    }

    /** An election of the hub has another leader, or none. */
    public void electionChanged(ElectionView view) {
        hub.look(seen -> leaderships.changed(view));
    }

    @Override
    public void look(Consumer<Function<Predicate<String>, String>> observer) {
        hub.look(
                seen -> observer.accept(maySendCommands -> json.of(System.currentTimeMillis(), seen, maySendCommands)));
    }
}
