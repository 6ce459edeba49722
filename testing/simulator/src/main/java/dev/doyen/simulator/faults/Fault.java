package dev.doyen.simulator.faults;

import dev.doyen.simulator.world.World;

/** One kind of fault. Such faults occur from the start of a run until {@link #lift}. */
public interface Fault {

    void begin(World world);

    /** Stops further faults of this kind. {@link World#heal} undoes the effects on processes and network. */
    void lift();
}
