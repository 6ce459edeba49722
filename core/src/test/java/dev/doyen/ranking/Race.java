package dev.doyen.ranking;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One race on a stage: a script says who connects when, how long each line takes, what breaks; who decides in the pages is the
 * algorithm that races. Lines take 5 ms each way unless told otherwise, and a page's connections are named by the script.
 */
final class Race {

    /** Who decides in all pages of a race. */
    enum Algorithm {
        PUBLISHED,
        SHIPPED
    }

    final Timeline time = new Timeline();
    final ModelHub hub;
    final Map<String, ModelPage> pages = new LinkedHashMap<>();

    private final Algorithm algorithm;
    private int mostWorkers;
    private long idleMillis;
    private long lastLook;

    private Race(Algorithm algorithm, boolean claimsAreGranted) {
        this.algorithm = algorithm;
        this.hub = new ModelHub(time, claimsAreGranted, () -> 1);
    }

    static Race onHubThatGrantsClaims(Algorithm algorithm) {
        return new Race(algorithm, true);
    }

    static Race onHubThatGrantsNothing(Algorithm algorithm) {
        return new Race(algorithm, false);
    }

    /** A page, whose first connection has that id, and the next ones, if any, the following ids. */
    ModelPage page(String clientId, String... connections) {
        var page = new ModelPage(
                clientId,
                time,
                hub,
                1,
                0,
                number -> connections[number - 1],
                now -> algorithm == Algorithm.PUBLISHED
                        ? new Published(clientId)
                        : new Brain.Shipped(RankingSettings.DEFAULT, now));
        pages.put(clientId + " " + connections[0], page);
        return page;
    }

    void at(long millis, Runnable what) {
        time.at(millis * Timeline.MILLI, what);
    }

    Race until(long millis) {
        time.runUntil(millis, this::look);
        return this;
    }

    /** How many pages work now: alive, not frozen, told to start and not told to stop. */
    int workers() {
        return (int) pages.values().stream().filter(ModelPage::working).count();
    }

    /** The most that ever worked at one instant. */
    int mostWorkers() {
        return mostWorkers;
    }

    /** For how long nobody worked. */
    long idleMillis() {
        return idleMillis;
    }

    /** How many members say in the set that they lead. */
    long claimsInSet() {
        return hub.members.values().stream()
                .filter(one -> PresenceData.read(one).claims())
                .count();
    }

    /** The leaders that pages name, each once. */
    List<Optional<LeaderView>> named() {
        var all = new ArrayList<Optional<LeaderView>>();
        pages.values().stream()
                .filter(ModelPage::alive)
                .map(page -> page.brain.named())
                .distinct()
                .forEach(all::add);
        return all;
    }

    private void look() {
        int workers = workers();
        if (workers == 0) {
            idleMillis += time.millis() - lastLook;
        }
        lastLook = time.millis();
        mostWorkers = Math.max(mostWorkers, workers);
    }
}
