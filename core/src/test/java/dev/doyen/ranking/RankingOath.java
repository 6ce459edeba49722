package dev.doyen.ranking;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What docs/spec/ranking.md promises, held against a world after everything that happens in it, and against its end. */
final class RankingOath {

    /** How long two leaders may be, in all of one story, where nobody grants claims. */
    private static final long MOST_DUAL_MILLIS = 3000;

    /** When a page that was suspended finds out at the latest, if nothing comes: its timers run by the monotonic clock. */
    private static final long LATE_NANOS = 4_200 * Timeline.MILLI;

    /** So many writes a page may make in one second: a claim, what undoes it, and a few that failed. */
    private static final int MOST_WRITES = 8;

    private final RankingWorld world;
    private final boolean exclusive;
    private final Map<ModelPage, Long> led = new HashMap<>();
    private final Map<ModelPage, String> named = new HashMap<>();
    private final Map<ModelPage, Long> worksOnSince = new HashMap<>();
    private final Map<ModelPage, Integer> writesBefore = new HashMap<>();
    private long second;
    private long greatest;
    private long lastLook;
    private long dualNanos;
    private boolean wasDual;
    private long lastNews;
    private String settled = "";

    RankingOath(RankingWorld world, boolean exclusive) {
        this.world = world;
        this.exclusive = exclusive;
    }

    void watch() {
        List<ModelPage> leaders = leaders();
        boolean dual = leaders.size() > 1;
        if (wasDual) {
            dualNanos += world.time.now - lastLook;
        }
        lastLook = world.time.now;
        wasDual = dual;
        require(!dual || !exclusive, "two leaders: " + ids(leaders));
        require(!dual || !world.isStable(), "two leaders, though membership is stable: " + ids(leaders));
        leaders.forEach(this::termsRise);
        world.pages.forEach(this::worksWhileItLeads);
        if (world.isStable()) {
            String now = ids(leaders).toString();
            require(
                    settled.isEmpty() || settled.equals(now),
                    "K15: nothing happens, and " + settled + " is now " + now);
            settled = now;
        }
        for (ModelPage page : world.pages) {
            String name = page.brain.named().toString();
            if (page.alive() && !name.equals(named.put(page, name))) {
                lastNews = world.time.millis();
            }
        }
        noStorm();
    }

    private void termsRise(ModelPage page) {
        long term = page.brain.fence().orElse(0L);
        if (led.getOrDefault(page, 0L) != term) {
            require(
                    term > led.getOrDefault(page, 0L),
                    page.clientId + " led in " + led.get(page) + " and now in " + term);
            require(!exclusive || term > greatest, "term " + term + " after " + greatest);
            greatest = Math.max(greatest, term);
            led.put(page, term);
            world.mark("led");
        }
    }

    private void worksWhileItLeads(ModelPage page) {
        require(page.workers >= 0 && page.workers <= 1, page.clientId + " has " + page.workers + " workers");
        require(!page.wroteBeforeItStopped, "K11: " + page.clientId + " wrote before it stopped its work");
        require(page.workers == 0 || !(page.closed || page.warned), "K16: " + page.clientId + " works, and has left");
        require(
                page.workers == 0 || world.time.now >= page.restsUntil,
                "K14: " + page.clientId + " resigned, and leads within its cooldown");
        if (!page.working() || page.leads()) {
            worksOnSince.remove(page);
        } else {
            long since = worksOnSince.computeIfAbsent(page, any -> world.time.now);
            require(world.time.now - since <= LATE_NANOS, "K9: " + page.clientId + " works, and its time is over");
        }
    }

    private void noStorm() {
        if (world.time.millis() / 1000 == second) {
            return;
        }
        second = world.time.millis() / 1000;
        for (ModelPage page : world.pages) {
            int writes = page.writes - writesBefore.getOrDefault(page, 0);
            writesBefore.put(page, page.writes);
            world.marks.merge("writes in a second, at most", writes, Math::max);
            require(writes <= MOST_WRITES, page.clientId + " made " + writes + " writes in a second");
        }
    }

    void healed() {
        List<ModelPage> alive = world.alive();
        List<ModelPage> leaders = alive.stream().filter(ModelPage::leads).toList();
        require(leaders.size() == 1, leaders.size() + " leaders at the end: " + ids(leaders));
        Set<Object> names = new HashSet<>();
        alive.forEach(page -> names.add(page.brain.named()));
        require(names.size() == 1, "they name different leaders at the end: " + names);
        require(
                leaders.get(0)
                        .brain
                        .named()
                        .map(LeaderView::clientId)
                        .equals(java.util.Optional.of(leaders.get(0).clientId)),
                "they name " + names + ", and " + ids(leaders) + " leads");
        require(
                dualNanos / Timeline.MILLI <= MOST_DUAL_MILLIS,
                "two leaders for " + dualNanos / Timeline.MILLI + " ms");
        world.marks.merge("milliseconds to heal, at most", (int) (lastNews - RankingWorld.FAULTS_END), Math::max);
        world.marks.merge("milliseconds with two leaders, at most", (int) (dualNanos / Timeline.MILLI), Math::max);
        world.marks.merge("stories with two leaders", dualNanos > 0 ? 1 : 0, Integer::sum);
    }

    void succeededBy(ModelPage expected, String why) {
        List<ModelPage> leaders = leaders();
        require(
                leaders.equals(List.of(expected)),
                why + ": " + expected.clientId + " should lead, and there lead " + ids(leaders));
    }

    private List<ModelPage> leaders() {
        return world.pages.stream().filter(ModelPage::leads).toList();
    }

    private static List<String> ids(List<ModelPage> pages) {
        return pages.stream()
                .map(page -> page.clientId + " " + page.brain.fence())
                .toList();
    }

    private void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise + ", at " + world.time.millis() + " ms");
        }
    }
}
