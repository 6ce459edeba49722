package dev.doyen.chaos.hostile;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Attacks a hub while other clients use it.
 *
 * <p>Each of ten rooms has ten innocent clients, and one of these clients leads. At the same time, ten attackers each
 * carry out one random attack after the other. An innocent client must not lose its term or its socket, and the hub
 * must not reject its requests. After the attacks, the hub must be ready. The report also lists the reasons for
 * which the hub was not ready during the attacks.
 */
public final class HostileRun {

    private static final int ROOMS = 10;
    private static final int CLIENTS_PER_ROOM = 10;
    private static final int ATTACKERS = 10;

    /** The longest time from the last attack until the hub is ready. Only a failing run waits this long. */
    private static final Duration RECOVERY = Duration.ofMinutes(2);

    private static final String CAPABILITY = "{\"tabs:*\":[\"publish\",\"subscribe\",\"presence\",\"lead\"]}";

    private HostileRun() {}

    /** Runs the attacks for {@code length}. The directory {@code dir} receives the hub's files and its log. */
    public static HostileReport run(Path dir, Duration length, long seed) throws Exception {
        var innocents = new ArrayList<Innocent>();
        try (VictimHub hub = VictimHub.start(dir)) {
            for (int room = 0; room < ROOMS; room++) {
                for (int client = 0; client < CLIENTS_PER_ROOM; client++) {
                    innocents.add(Innocent.start(hub, "client-" + room + "-" + client, "room-" + room, client == 0));
                }
            }
            for (Innocent each : innocents) {
                each.enter();
            }
            return attacked(hub, innocents, length, seed);
        } finally {
            innocents.forEach(Innocent::close);
        }
    }

    private static HostileReport attacked(VictimHub hub, List<Innocent> innocents, Duration length, long seed)
            throws Exception {
        long end = System.nanoTime() + length.toNanos();
        var attackers = new ArrayList<Attacker>();
        var threads = new ArrayList<Thread>();
        for (int number = 1; number <= ATTACKERS; number++) {
            var attacker = new Attacker(hub, number, CAPABILITY, seed, end);
            attackers.add(attacker);
            var thread = new Thread(attacker, attacker.name());
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        long mostBytes = 0;
        var notReady = new ArrayList<String>();
        var faults = new ArrayList<String>();
        while (System.nanoTime() - end < 0 && hub.isAlive()) {
            mostBytes = Math.max(mostBytes, hub.residentBytes());
            hub.faultOfReadiness().ifPresent(notReady::add);
            Thread.sleep(500);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        if (hub.isAlive()) {
            innocents.stream().filter(Innocent::leads).forEach(leader -> checkElection(hub, leader, faults));
            if (!hub.becomesReady(RECOVERY)) {
                faults.add("the hub was not ready within " + RECOVERY.toSeconds() + " s of the last attack");
            }
        } else {
            faults.add("the process of the hub ended");
        }
        innocents.forEach(each -> faults.addAll(each.refusals()));
        return new HostileReport(roundTrips(innocents), mostBytes, times(attackers), notReady, faults);
    }

    private static void checkElection(VictimHub hub, Innocent leader, List<String> faults) {
        try {
            String election = hub.election(leader.room());
            if (!election.contains(
                    "\"leader\":{\"id\":\"" + leader.clientId() + "\",\"term\":" + leader.term() + "}")) {
                faults.add(leader.clientId() + " no longer leads in term " + leader.term() + ": " + election);
            }
        } catch (Exception e) {
            faults.add("the elector API did not answer: " + e);
        }
    }

    private static List<Long> roundTrips(List<Innocent> innocents) {
        return innocents.stream()
                .flatMap(each -> each.roundTripsNanos().stream())
                .sorted()
                .toList();
    }

    private static Map<Attack, Integer> times(List<Attacker> attackers) {
        var times = new EnumMap<Attack, Integer>(Attack.class);
        attackers.forEach(each -> each.times().forEach((attack, count) -> times.merge(attack, count, Integer::sum)));
        return times;
    }
}
