package dev.doyen.simulator.faults;

import dev.doyen.simulator.world.World;

/** One kind of trouble, from the beginning of a run until it is lifted. */
public interface Fault {

    void begin(World world);

    /** No more of it. What it did to a process, or to the network, {@link World#heal} undoes. */
    void lift();
}
