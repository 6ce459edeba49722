package dev.doyen.chaos.hostile;

import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;

/** A visitor with an ordinary token, who carries out one random attack after the other. */
final class Attacker implements Runnable {

    private static final long ATTACK_NANOS = 3_000_000_000L;
    private static final int READ_EVERY = 100;

    private final VictimHub hub;
    private final String name;
    private final String address;
    private final String token;
    private final Random random;
    private final long endNanos;
    private final Map<Attack, Integer> times = new EnumMap<>(Attack.class);
    private long attackEndNanos;
    private long count;

    /**
     * Creates an attacker.
     *
     * @param number a number from 1 to 200; the name and the address contain this number
     */
    Attacker(VictimHub hub, int number, String capability, long seed, long endNanos) throws Exception {
        this.hub = hub;
        this.name = "attacker-" + number;
        this.address = "127.0.1." + number;
        this.token = hub.token(name, capability);
        this.random = new Random(seed + number);
        this.endNanos = endNanos;
    }

    @Override
    public void run() {
        while (System.nanoTime() - endNanos < 0 && hub.isAlive()) {
            Attack attack = Attack.random(random);
            attackEndNanos = System.nanoTime() + ATTACK_NANOS;
            times.merge(attack, 1, Integer::sum);
            try {
                attack.run(this);
            } catch (IOException e) {
                // The hub has rejected the attack or closed its socket. The next attack follows.
                rest();
            }
        }
    }

    boolean goesOn() {
        return System.nanoTime() - attackEndNanos < 0;
    }

    /**
     * Waits briefly. Without the wait, a rejected attacker would open sockets so fast that it would mostly load the
     * kernel and not the hub.
     */
    void rest() {
        try {
            Thread.sleep(50);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    HubSocket connect() throws IOException {
        return new HubSocket(hub.address(), address, token);
    }

    void present(HubSocket socket, int serial, String channel, String data) throws IOException {
        socket.send("{\"action\":14,\"channel\":\"" + channel + "\",\"msgSerial\":" + serial
                + ",\"presence\":[{\"action\":2,\"data\":\"" + data + "\"}]}");
    }

    /**
     * Reads one frame for every two sent frames, in batches. If the attacker read nothing, the hub would stop reading
     * this socket.
     */
    void readIfBehind(HubSocket socket, int sent) throws IOException {
        if (sent % READ_EVERY == READ_EVERY - 1) {
            for (int i = 0; i < READ_EVERY / 2; i++) {
                socket.read();
            }
        }
    }

    VictimHub hub() {
        return hub;
    }

    String name() {
        return name;
    }

    String address() {
        return address;
    }

    Random random() {
        return random;
    }

    /** Returns a number that this attacker has not used before. */
    long next() {
        return ++count;
    }

    /** Returns how often the attacker has begun each attack. The caller must have waited for the end of the thread. */
    Map<Attack, Integer> times() {
        return times;
    }
}
