package dev.doyen.program.contest;

import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One seeded run, in which contenders claim the leadership of one fenced channel in random steps.
 *
 * <p>Each node has an observer. With several nodes, another observer moves between the nodes. After the last step the
 * test cuts the connections of all contenders except the observers. Then a new contender must be able to lead, and all
 * observers must receive its messages.
 *
 * <p>Threads: the event loop, except {@link #done} and {@link #marked}.
 */
final class Contest {

    static final int STEP_MILLIS = 60;

    /**
     * The limit of the sum of all waits. It is much longer than the ttl of a claim, a grace period and the start of a
     * hub together.
     */
    private static final int PATIENCE_MILLIS = 300_000;

    private static final List<String> CLAIMS = List.of(
            "{\"role\":\"L\",\"ttl\":1000}",
            "{\"role\":\"L\",\"ttl\":1000}",
            "{\"role\":\"L\",\"ttl\":1000}",
            "{\"role\":\"L\"}",
            "leader");

    private final long seed;
    private final Random random;
    private final EventLoop loop;
    private final List<HubProcess> hubs;
    private final int lastStep;
    private final String channel;
    private final Tally tally;
    private final Ledger ledger = new Ledger();
    private final CompletableFuture<Ledger> done = new CompletableFuture<>();
    private final List<Rival> rivals = new ArrayList<>();
    private final List<Observer> observers = new ArrayList<>();
    private @Nullable Contender newcomer;
    private final int markedStep;
    private final CompletableFuture<Void> marked = new CompletableFuture<>();
    private boolean struck;
    private int steps;
    private int waited;

    /** A contender that the test can freeze. */
    private final class Rival extends Contender {
        private int frozenSteps;
        private boolean ledWhenFrozen;
        private boolean untilReplaced;

        Rival(String name) {
            super(name, loop, channel, Contest.this.ledger, Contest.this.tally);
        }
    }

    private final class Observer extends Contender {
        /** The node of this observer; null if the observer moves between the nodes. */
        private final @Nullable HubProcess home;

        private final Witness witness;
        private String lastReceived = "";

        Observer(String name, @Nullable HubProcess home) {
            super(name, loop, channel, Contest.this.ledger, Contest.this.tally);
            this.home = home;
            witness = ledger.witness(name);
        }

        void connect() {
            connect((home == null ? anyHub() : home).address(), home == null);
        }

        @Override
        public String toString() {
            return super.toString() + " last received " + lastReceived;
        }

        @Override
        void attached(boolean again) {
            if (again) {
                witness.goesOn();
            } else if (home == null) {
                witness.elsewhere();
            } else {
                witness.mayHaveMissed();
            }
        }

        @Override
        void reported(String member, @Nullable Long inTerm) {
            witness.reported(member, inTerm);
        }

        @Override
        void receivedPublish(String id, long fence, String author) {
            witness.delivered(id, fence, author);
            lastReceived = author;
        }
    }

    /**
     * Creates a run.
     *
     * @param hubs the single hub, or all nodes of one hub
     * @param steps the number of random steps
     */
    Contest(long seed, EventLoop loop, List<HubProcess> hubs, int steps, Tally tally) {
        this.seed = seed;
        this.random = new Random(seed);
        this.loop = loop;
        this.hubs = List.copyOf(hubs);
        this.lastStep = steps;
        this.tally = tally;
        channel = "contest-" + seed;
        for (HubProcess each : hubs) {
            observers.add(new Observer("observer-" + observers.size(), each));
        }
        if (hubs.size() > 1) {
            observers.add(new Observer("observer-moving", null));
        }
        markedStep = 10 + random.nextInt(steps / 2);
        int count = 2 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            rivals.add(new Rival("rival-" + i));
        }
    }

    /** Completes with the records of the run, or with the first error. */
    CompletableFuture<Ledger> done() {
        return done;
    }

    /** Completes at a random step in the middle of the run. */
    CompletableFuture<Void> marked() {
        return marked;
    }

    void start() {
        observers.forEach(Observer::connect);
        later();
    }

    /**
     * Counts this run in {@link Tally#struck} if its random steps are in progress.
     *
     * <p>Must be called before the test injects a fault into the hub.
     */
    void isStruck() {
        if (steps > 0 && steps < lastStep && !struck) {
            struck = true;
            tally.struck++;
        }
    }

    private HubProcess anyHub() {
        return hubs.get(random.nextInt(hubs.size()));
    }

    private void later() {
        loop.schedule(this::tick, STEP_MILLIS / 2 + random.nextInt(STEP_MILLIS), TimeUnit.MILLISECONDS);
    }

    private void tick() {
        if (done.isDone()) {
            return;
        }
        try {
            ledger.checkUnspoiled();
            for (Observer each : observers) {
                // The retries are spread over time, so that they do not overload a node that rejects clients.
                if (!each.hasLine() && random.nextInt(5) == 0) {
                    each.connect();
                }
            }
            if (observers.stream().noneMatch(Contender::isAttached)) {
                waitABit("no observer is attached");
            } else if (steps < lastStep) {
                if (++steps == markedStep) {
                    marked.complete(null);
                }
                step(rivals.get(random.nextInt(rivals.size())));
                rivals.forEach(this::live);
                moveObserver();
            } else {
                end();
            }
            later();
        } catch (AssertionError | RuntimeException e) {
            fail(e);
        }
    }

    private void fail(Throwable error) {
        done.completeExceptionally(new AssertionError(
                "seed " + seed + ": " + error.getMessage() + "; -Dclaims.runs=1 -Dclaims.seed=" + seed, error));
        rivals.forEach(Contender::cut);
        observers.forEach(Contender::cut);
        if (newcomer != null) {
            newcomer.cut();
        }
    }

    /** Sometimes moves the observer that has no fixed node. */
    private void moveObserver() {
        for (Observer each : observers) {
            if (each.home == null && each.isAttached() && random.nextInt(15) == 0) {
                each.cut();
            }
        }
    }

    /**
     * Performs what a rival does in every step. A frozen rival waits until its freeze ends. A rival that is attached
     * and not frozen sends a heartbeat, and often publishes if it leads.
     */
    private void live(Rival rival) {
        if (rival.isFrozen()) {
            rival.frozenSteps--;
            boolean replaced = ledger.newestTerm() > rival.term;
            if (rival.untilReplaced ? replaced : rival.frozenSteps <= 0) {
                wake(rival);
            }
        } else if (rival.isAttached()) {
            rival.heartbeat();
            if (rival.leads && random.nextInt(3) != 0) {
                rival.publish(rival.term);
            }
        }
    }

    /**
     * Ends the freeze. If the rival led when it froze, it first publishes, before it reads the frames that arrived
     * during the freeze.
     */
    private void wake(Rival rival) {
        if (rival.ledWhenFrozen) {
            rival.publish(rival.term);
            rival.publish(rival.term);
            if (ledger.newestTerm() > rival.term) {
                tally.thawedTooLate++;
            }
        }
        rival.thaw();
    }

    private void step(Rival rival) {
        if (!rival.hasLine()) {
            rival.connect(anyHub().address(), random.nextInt(3) != 0);
        } else if (!rival.isFrozen() && rival.isAttached()) {
            act(rival);
        }
    }

    private void act(Rival rival) {
        switch (random.nextInt(20)) {
            case 0, 1 -> {
                tally.cuts++;
                rival.cut();
            }
            case 2 -> rival.close();
            case 3, 4 -> {
                freeze(rival);
            }
            case 5 -> rival.leave();
            case 6 -> rival.enter("{\"role\":\"F\"}");
            case 7 -> {
                tally.reentries++;
                rival.detach();
                rival.attach();
                rival.enter(claim());
            }
            case 8 -> rival.publish(Math.max(1, rival.term - random.nextInt(2)));
            case 9 -> rival.publish(ledger.newestTerm() + random.nextInt(2));
            case 10 -> rival.publish(Ledger.UNFENCED);
            default -> rival.enter(claim());
        }
    }

    /**
     * Freezes a leader that is attached and not frozen. If no such leader exists, freezes the drawn rival. Often the
     * freeze of a leader lasts until another rival leads, because this case is the most dangerous.
     */
    private void freeze(Rival drawn) {
        Rival freezing = rivals.stream()
                .filter(each -> each.leads && each.isAttached() && !each.isFrozen())
                .findFirst()
                .orElse(drawn);
        tally.freezes++;
        freezing.ledWhenFrozen = freezing.leads;
        freezing.untilReplaced = freezing.leads && random.nextInt(3) != 0;
        freezing.frozenSteps = 5 + random.nextInt(35);
        freezing.freeze();
    }

    private String claim() {
        return CLAIMS.get(random.nextInt(CLAIMS.size()));
    }

    /**
     * Adds a contender that claims the leadership until it leads. The contender then publishes until all observers have
     * received one of its messages.
     */
    private void end() {
        Contender last = newcomer;
        if (last == null) {
            rivals.forEach(Contender::cut);
            newcomer = new Contender("newcomer", loop, channel, ledger, tally);
            newcomer.connect(anyHub().address(), false);
        } else if (!last.hasLine() && random.nextInt(5) == 0) {
            last.connect(anyHub().address(), false);
        } else if (!last.isAttached() || !last.leads) {
            waitABit("the new contender does not lead: " + last);
            // A new claim before the answer would withdraw the pending claim (rule C3).
            if (last.isAttached() && !last.awaitsAnswer()) {
                last.enter("{\"role\":\"L\"}");
            }
        } else if (!observers.stream().allMatch(each -> each.lastReceived.startsWith("newcomer@"))) {
            waitABit("not all observers have received the message of " + last + ": " + observers);
            last.heartbeat();
            if (!last.awaitsAnswer()) {
                last.publish(last.term);
            }
        } else {
            last.close();
            observers.forEach(Contender::cut);
            ledger.close();
            done.complete(ledger);
        }
    }

    private void waitABit(String why) {
        waited += STEP_MILLIS;
        if (waited > PATIENCE_MILLIS) {
            throw new AssertionError("after " + waited + " ms " + why);
        }
    }
}
