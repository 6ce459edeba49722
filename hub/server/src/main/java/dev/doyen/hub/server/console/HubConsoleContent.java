package dev.doyen.hub.server.console;

import dev.doyen.elector.ElectionView;
import dev.doyen.elector.console.ConsoleContent;
import dev.doyen.elector.console.LeadershipLog;
import dev.doyen.hub.server.claims.Claims;
import dev.doyen.hub.server.websocket.HubLoop;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The state of a hub in the form that its console shows.
 *
 * <p>The hub's thread owns the state. Any thread may call the methods.
 */
public final class HubConsoleContent implements ConsoleContent<ConsoleViewer> {

    private static final int REFUSALS_KEPT = 100;

    private final HubLoop hub;

    // The hub's thread owns both fields.
    private final LeadershipLog leaderships = new LeadershipLog(LeadershipLog.KEPT);
    private final ConsoleJson json;

    public HubConsoleContent(HubLoop hub, Claims claims) {
        this.hub = hub;
        var figures = new Figures(REFUSALS_KEPT, System::currentTimeMillis);
        this.json = new ConsoleJson(figures, leaderships, claims);
        hub.tapInto(figures);
    }

    /** Records that an election of the hub has another leader or no leader. */
    public void electionChanged(ElectionView view) {
        hub.look(seen -> leaderships.changed(view));
    }

    @Override
    public void look(Consumer<Function<ConsoleViewer, String>> observer) {
        hub.look(seen -> observer.accept(viewer -> json.of(System.currentTimeMillis(), seen, viewer)));
    }
}
