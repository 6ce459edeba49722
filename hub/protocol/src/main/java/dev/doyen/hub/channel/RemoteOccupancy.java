package dev.doyen.hub.channel;

import dev.doyen.hub.step.StepContext;
import dev.doyen.hub.wire.Occupancy;
import java.util.Collection;

/** Exchanges the occupancy of channels with the other nodes. */
public interface RemoteOccupancy {

    /** Schedules a report after the attachments on this node have changed. */
    void changed(StepContext step, Channel channel);

    /** Returns the sum of the occupancy on all other nodes. */
    Occupancy elsewhere(String channel);

    /** Returns the channels that connections of other nodes use. */
    Collection<String> usedElsewhere();
}
