package dev.doyen.ranking;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * A seeded world: pages on one channel of a {@link ModelHub}, whose lines are cut and resumed or forgotten, whose SDKs enter old
 * data again, who stand still, are suspended, crash, resign, leave and start anew; sometimes half of them are cut off, sometimes
 * all. First faults, then none; what docs/spec/ranking.md promises is checked after everything that happens.
 */
final class RankingWorld {

    /** How long two leaders may be, in all of one story, where nobody grants claims. */
    static final long MOST_DUAL_MILLIS = 3000;

    private static final int PAGES = 5;
    private static final int FAULTS = 14;
    private static final long FAULTS_END = 70_000;
    private static final long STABLE = 110_000;
    private static final long END = 140_000;
    private static final long LOOK = 25;

    final List<ModelPage> pages = new ArrayList<>();
    final Timeline time = new Timeline();
    final ModelHub hub;
    final Map<String, Integer> marks;

    private final Random random;
    private final boolean exclusive;
    private final Ranking ranking;
    private final Map<ModelPage, Long> led = new HashMap<>();
    private int started;
    private long greatest;
    private long lastLook;
    private long dualNanos;
    private boolean wasDual;
    private long lastNews;
    private final Map<ModelPage, String> named = new HashMap<>();

    RankingWorld(long seed, boolean exclusive, Map<String, Integer> marks) {
        this.random = new Random(seed);
        this.exclusive = exclusive;
        this.marks = marks;
        this.hub = new ModelHub(time, exclusive, () -> 1 + random.nextInt(30));
        this.ranking = List.of(
                        Ranking.oldest(),
                        Ranking.lowestId(),
                        Ranking.by(Comparator.comparingLong(Member::order).reversed()))
                .get(random.nextInt(3));
    }

    void run() {
        for (int i = 0; i < PAGES; i++) {
            startAt(random.nextInt(10) < 7 ? random.nextInt(400) : random.nextInt(20_000));
        }
        for (int i = 0; i < FAULTS; i++) {
            time.after(3000 + random.nextInt((int) FAULTS_END - 8000), this::fault);
        }
        look();
        time.runUntil(END, this::watch);
        healed();
    }

    private void look() {
        time.after(LOOK, this::look);
    }

    private void startAt(long millis) {
        String id = "c" + started++;
        int priority = random.nextInt(5) == 0 ? 1 : 0;
        RankingSettings settings = RankingSettings.DEFAULT.withRanking(ranking).withPriority(priority);
        double rate = 0.96 + 0.08 * random.nextDouble();
        var page = new ModelPage(
                id,
                time,
                hub,
                rate,
                random.nextLong() >> 1,
                connection -> id + "-" + connection,
                now -> new Brain.Shipped(settings, now));
        page.up = this::latency;
        page.down = this::latency;
        if (random.nextBoolean()) {
            page.wallSetBackAt = random.nextInt(60_000) * Timeline.MILLI;
        }
        pages.add(page);
        time.after(millis, page::connect);
    }

    private long latency() {
        return random.nextInt(50) == 0 ? 100 + random.nextInt(700) : 2 + random.nextInt(58);
    }

    private void fault() {
        List<ModelPage> alive = pages.stream().filter(ModelPage::alive).toList();
        // Every other fault looks for the leader: that is where it hurts.
        ModelPage any = alive.get(random.nextInt(alive.size()));
        ModelPage victim = random.nextBoolean()
                ? alive.stream().filter(ModelPage::leads).findFirst().orElse(any)
                : any;
        switch (random.nextInt(14)) {
            case 0, 1, 2, 3 -> cut(victim, random.nextInt(5) < 2);
            case 4 -> {
                mark("partition");
                alive.stream().filter(page -> random.nextBoolean()).forEach(page -> cut(page, false));
            }
            case 5 -> {
                mark("empty");
                alive.forEach(page -> cut(page, random.nextBoolean()));
            }
            case 6 -> {
                mark("all closed");
                alive.forEach(this::replaceClosed);
            }
            case 7, 8, 9 -> {
                boolean suspended = victim.wallSetBackAt == Long.MAX_VALUE && random.nextBoolean();
                mark(suspended ? "suspended" : "frozen");
                victim.freeze(within(1000, 40_000), random.nextInt(10) < 3, suspended);
            }
            case 10 -> {
                mark("killed");
                victim.kill();
                startAt(within(0, 10_000));
            }
            case 11 -> {
                mark("resigned");
                victim.resign();
            }
            case 12 -> hub.transfer(any.clientId);
            default -> hub.failNext++;
        }
    }

    private void replaceClosed(ModelPage page) {
        page.close();
        if (!page.alive()) {
            startAt(within(0, 10_000));
        }
    }

    private void cut(ModelPage page, boolean forgotten) {
        mark(forgotten ? "cut, forgotten" : "cut, resumed");
        long back = within(500, 45_000);
        page.cut(back, forgotten, random.nextInt(2000), random.nextInt((int) Math.min(back, 10_000)));
    }

    private long within(int least, int most) {
        int left = (int) Math.max(least + 1, FAULTS_END - time.millis());
        return (long) least + random.nextInt(Math.min(most, left) - least);
    }

    private void watch() {
        List<ModelPage> leaders = pages.stream().filter(ModelPage::leads).toList();
        boolean dual = leaders.size() > 1;
        if (wasDual) {
            dualNanos += time.now - lastLook;
        }
        lastLook = time.now;
        wasDual = dual;
        require(!dual || !exclusive, "two leaders: " + ids(leaders));
        require(!dual || time.millis() < STABLE, "two leaders, though membership is stable: " + ids(leaders));
        for (ModelPage page : leaders) {
            long term = page.brain.fence().orElse(0L);
            if (led.getOrDefault(page, 0L) != term) {
                require(
                        term > led.getOrDefault(page, 0L),
                        page.clientId + " led in " + led.get(page) + " and now in " + term);
                require(!exclusive || term > greatest, "term " + term + " after " + greatest);
                greatest = Math.max(greatest, term);
                led.put(page, term);
                mark("led");
            }
        }
        for (ModelPage page : pages) {
            require(page.workers >= 0 && page.workers <= 1, page.clientId + " has " + page.workers + " workers");
            String name = page.brain.named().toString();
            if (page.alive() && !name.equals(named.put(page, name))) {
                lastNews = time.millis();
            }
        }
    }

    private void healed() {
        List<ModelPage> alive = pages.stream().filter(ModelPage::alive).toList();
        List<ModelPage> leaders = alive.stream().filter(ModelPage::leads).toList();
        require(leaders.size() == 1, leaders.size() + " leaders at the end: " + ids(leaders));
        Set<Object> names = new HashSet<>();
        alive.forEach(page -> names.add(page.brain.named()));
        require(names.size() == 1, "they name different leaders at the end: " + names);
        require(
                dualNanos / Timeline.MILLI <= MOST_DUAL_MILLIS,
                "two leaders for " + dualNanos / Timeline.MILLI + " ms");
        marks.merge("milliseconds to heal, at most", (int) (lastNews - FAULTS_END), Math::max);
        marks.merge("milliseconds with two leaders, at most", (int) (dualNanos / Timeline.MILLI), Math::max);
        marks.merge("stories with two leaders", dualNanos > 0 ? 1 : 0, Integer::sum);
    }

    private static List<String> ids(List<ModelPage> pages) {
        return pages.stream()
                .map(page -> page.clientId + " " + page.brain.fence())
                .toList();
    }

    private void mark(String what) {
        marks.merge(what, 1, Integer::sum);
    }

    private void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise + ", at " + time.millis() + " ms");
        }
    }
}
