package dev.doyen.stores.quorum;

import org.jspecify.annotations.Nullable;

/** A host of a {@link QuorumWorld}. Each {@link #start} begins a new process. */
abstract class WorldHost {

    /** Delivers a frame, or the end of a connection, to the process. */
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

    /** Starts the process, and returns its access to the registers. */
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

    /** Returns the user that reads and writes registers while the process runs. */
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

    /** Called after a power loss. A host with a disk loses the data that was not durable. */
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

    /**
     * Runs an action later, unless the process has ended by then. A frozen process runs the action after the freeze
     * ends.
     */
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
