package dev.doyen.server.console;

import dev.doyen.elector.ElectionView;
import dev.doyen.server.claims.Claims;
import dev.doyen.server.websocket.HubLoop;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A hub, to those who look at its console. Of each it is known about which channels' elections it may give orders.
 *
 * <p>Threads: what is shown belongs to the hub's thread, where all of it is read and written; the methods may be called on
 * any.
 */
public final class HubScene implements Scene<Predicate<String>> {

    private static final int REFUSALS_KEPT = 100;

    private final HubLoop hub;

    // Both belong to the hub's thread.
    private final Reigns reigns = new Reigns(Reigns.KEPT);
    private final ConsoleJson json;

    public HubScene(HubLoop hub, Claims claims) {
        this.hub = hub;
        var figures = new Figures(REFUSALS_KEPT, System::currentTimeMillis);
        this.json = new ConsoleJson(figures, reigns, claims);
        hub.tapInto(figures);
    }

    /** An election of the hub has another leader, or none. */
    public void electionChanged(ElectionView view) {
        hub.look(seen -> reigns.changed(view));
    }

    @Override
    public void look(Consumer<Function<Predicate<String>, String>> onlooker) {
        hub.look(seen -> onlooker.accept(mayOrder -> json.of(System.currentTimeMillis(), seen, mayOrder)));
    }
}
