package dev.doyen.ranking;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A seeded world: pages on one channel of a {@link ModelHub}, whose lines are cut and resumed or forgotten, whose SDKs enter old
 * data again, who stand still, are suspended, crash, resign, leave and start anew; sometimes half of them are cut off, sometimes
 * all; who write what the SDK loses, over lines that are slow, among strangers. First faults, then none; what docs/spec/ranking.md promises is checked after everything that happens.
 */
final class RankingWorld {

    private static final int PAGES = 5;
    private static final int FAULTS = 14;
    static final long FAULTS_END = 70_000;
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
    private final int order;
    private final Map<ModelPage, Integer> priorities = new HashMap<>();
    private final RankingOath oath;
    private int started;
    private int strangers;
    private boolean isCalm;

    RankingWorld(long seed, boolean exclusive, Map<String, Integer> marks) {
        this.random = new Random(seed);
        this.exclusive = exclusive;
        this.marks = marks;
        this.hub = new ModelHub(time, exclusive, () -> 1 + random.nextInt(30));
        this.hub.syncMillis = () -> random.nextInt(3) == 0 ? random.nextInt(400) : 0;
        this.order = random.nextInt(3);
        this.ranking = List.of(
                        Ranking.oldest(),
                        Ranking.lowestId(),
                        Ranking.by(Comparator.comparingLong(Member::order).reversed()))
                .get(order);
        this.oath = new RankingOath(this, exclusive);
    }

    void run() {
        for (int i = 0; i < PAGES; i++) {
            startAt(random.nextInt(10) < 7 ? random.nextInt(400) : random.nextInt(20_000));
        }
        for (int i = 0; i < FAULTS; i++) {
            time.after(3000 + random.nextInt((int) FAULTS_END - 8000), this::fault);
        }
        look();
        time.runUntil(END, oath::watch);
        oath.healed();
        succession();
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
        priorities.put(page, priority);
        pages.add(page);
        time.after(millis, page::connect);
    }

    private long latency() {
        return random.nextInt(50) == 0 ? 100 + random.nextInt(700) : 2 + random.nextInt(58);
    }

    private void fault() {
        List<ModelPage> alive = alive();
        // Every other fault looks for the leader: that is where it hurts.
        ModelPage any = alive.get(random.nextInt(alive.size()));
        ModelPage victim = random.nextBoolean()
                ? alive.stream().filter(ModelPage::leads).findFirst().orElse(any)
                : any;
        switch (random.nextInt(17)) {
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
            case 13 -> hub.failNext++;
            case 14 -> victim.loseNext++;
            case 15 -> stranger();
            default -> slow(victim);
        }
    }

    /** Data that is not of the form, from somebody who does not take part; only who claims goes again. */
    private void stranger() {
        mark("stranger");
        boolean claims = random.nextInt(3) == 0;
        List<Object> nonsense = List.of(
                "hello",
                List.of(),
                Map.of("role", "F", "term", 1L << 60),
                Map.of("v", 1L, "slot", "another", "role", "L", "term", 1L << 40, "prio", 100L));
        String id = "s" + ++strangers;
        ModelHub.Session there = hub.stranger(id, claims ? "leader" : nonsense.get(random.nextInt(nonsense.size())));
        if (claims) {
            time.after(within(500, 8_000), () -> hub.end(there));
        }
    }

    /** Where nobody grants claims two may lead for as long as messages take, so there they do not take so long. */
    private void slow(ModelPage page) {
        if (!exclusive) {
            return;
        }
        mark("slow");
        page.up = () -> 5 + random.nextInt(1500);
        page.down = () -> 5 + random.nextInt(3500);
        time.after(within(1000, 15_000), () -> page.up = page.down = this::latency);
        if (random.nextBoolean()) {
            time.after(within(1000, 15_000), () -> cut(page, false));
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

    boolean isStable() {
        return time.millis() >= STABLE && !isCalm;
    }

    List<ModelPage> alive() {
        return pages.stream().filter(ModelPage::alive).toList();
    }

    /**
     * The leader goes, and nothing else happens: so who is next is known, by K5, K7 and K19. Reckoned here anew, from what the hub
     * has.
     */
    private void succession() {
        hub.failNext = 0;
        pages.forEach(page -> {
            page.loseNext = 0;
            page.up = page.down = () -> 5;
        });
        time.runUntil(END + 1000, oath::watch);
        isCalm = true;
        ModelPage leader = alive().stream().filter(ModelPage::leads).findFirst().orElseThrow();
        List<ModelPage> heirs =
                alive().stream().filter(page -> page != leader).sorted(inRank()).toList();
        if (exclusive && random.nextInt(3) == 0) {
            mark("handed over in calm");
            ModelPage last = heirs.get(heirs.size() - 1);
            hub.transfer(last.clientId);
            time.runUntil(END + 1200, oath::watch);
            oath.succeededBy(last, "K19, whom the hub named heir");
            return;
        }
        leader.close();
        int stuck = random.nextInt(2);
        heirs.stream().limit(stuck).forEach(page -> page.freeze(15_000, false, false));
        time.runUntil(END + 10_000, oath::watch);
        oath.succeededBy(
                heirs.get(stuck), stuck == 0 ? "K5, the first in rank" : "K7, the second, as the first is stuck");
        mark(stuck == 0 ? "the first in rank leads" : "the second leads");
    }

    private Comparator<ModelPage> inRank() {
        return switch (order) {
            case 0 ->
                Comparator.<ModelPage>comparingInt(page -> -priorities.get(page))
                        .thenComparingLong(this::written)
                        .thenComparing(ModelPage::key);
            case 1 ->
                Comparator.<ModelPage>comparingInt(page -> -priorities.get(page))
                        .thenComparing(page -> page.clientId);
            default ->
                Comparator.<ModelPage>comparingLong(page -> -written(page)).thenComparing(ModelPage::key);
        };
    }

    /** When its present data was written, by the hub's time. */
    private long written(ModelPage page) {
        return hub.members.get(page.key()).timestampMillis();
    }

    void mark(String what) {
        marks.merge(what, 1, Integer::sum);
    }
}
