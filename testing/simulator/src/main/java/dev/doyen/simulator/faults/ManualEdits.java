package dev.doyen.simulator.faults;

import dev.doyen.simulator.world.SeededRandom;
import dev.doyen.simulator.world.World;
import dev.doyen.store.LeaseRecord;
import java.util.Optional;

/**
 * A fault in which a person edits the record.
 *
 * <p>The person enters an unknown holder with a higher term. The leader must then stop (L7).
 */
public final class ManualEdits extends Recurring {

    public ManualEdits(double meanSeconds) {
        super(meanSeconds);
    }

    @Override
    void strike(World world, SeededRandom random) {
        String election = world.elections().get(random.below(world.elections().size()));
        world.overwrite(
                election,
                record -> new LeaseRecord(
                        election,
                        "intruder",
                        "by-hand",
                        record.term() + 1,
                        world.controlNonce(),
                        record.ttl(),
                        record.acquiredAt(),
                        record.renewedAt(),
                        record.state(),
                        record.stateVersion(),
                        Optional.empty(),
                        record.notes()));
    }
}
