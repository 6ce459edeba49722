package dev.doyen.stores.quorum;

import org.jspecify.annotations.Nullable;

/** A host of a {@link QuorumWorld}. Its process starts anew after each loss of power. */
abstract class WorldHost {

    /** Hands something that arrives to the process. */
    interface Delivery {
        void to(Wire.Receiver receiver);
    }

    private final QuorumWorld world;
    private final int number;
    private final String address;
    private Wire.@Nullable Receiver receiver;
    private @Nullable RegisterUser user;
    private boolean isUp;
    private long frozenUntil;
    private int incarnation;

    WorldHost(QuorumWorld world, int number, String address) {
        this.world = world;
        this.number = number;
        this.address = address;
    }

    abstract boolean isMember();

    /** Starts the process. Returns how it reads and writes registers. */
    abstract RegisterUser.Access startProcess();

    QuorumWorld world() {
        return world;
    }

    int number() {
        return number;
    }

    String address() {
        return address;
    }

    int incarnation() {
        return incarnation;
    }

    boolean isUp() {
        return isUp;
    }

    /** Reads and writes registers, as long as the process lives. */
    RegisterUser user() {
        if (user == null) {
            throw new IllegalStateException(address + " was never started");
        }
        return user;
    }

    void start() {
        isUp = true;
        incarnation++;
        receiver = null;
        RegisterUser started = new RegisterUser(this, startProcess());
        user = started;
        world.after(0, started::next);
    }

    void losePower() {
        if (isUp) {
            isUp = false;
            incarnation++;
            user().end();
            powerLost();
            world.network().ended(this);
        }
    }

    /** The disk loses what was not durable. */
    void powerLost() {}

    void freeze(long millis) {
        frozenUntil = world.now() + millis;
    }

    void thaw() {
        frozenUntil = 0;
    }

    void listen(Wire.Receiver next) {
        receiver = next;
    }

    void stopListening() {
        receiver = null;
    }

    void receive(Delivery delivery) {
        if (receiver != null) {
            delivery.to(receiver);
        }
    }

    void lost(String lostAddress) {
        receive(each -> each.lost(lostAddress));
    }

    /** Unless the process has ended by then. A process that stands still does it later. */
    void later(int ofIncarnation, long millis, Runnable action) {
        world.after(millis, () -> {
            if (ofIncarnation != incarnation) {
                return;
            }
            if (frozenUntil > world.now()) {
                later(ofIncarnation, frozenUntil - world.now(), action);
            } else {
                action.run();
            }
        });
    }
}
