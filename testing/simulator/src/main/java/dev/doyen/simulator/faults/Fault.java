package dev.doyen.simulator.faults;

import dev.doyen.simulator.world.World;

/** One kind of fault. The fault occurs from the start of a run until it is lifted. */
public interface Fault {

    void begin(World world);

    /** Stops further faults of this kind. {@link World#heal} undoes the effects on processes and network. */
    void lift();
}
