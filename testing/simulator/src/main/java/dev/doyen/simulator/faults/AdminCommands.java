package dev.doyen.simulator.faults;

import dev.doyen.simulator.world.SeededRandom;
import dev.doyen.simulator.world.World;
import dev.doyen.store.LeaseNotes;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A fault in which an operator sends an admin command.
 *
 * <p>The command is resign, transfer or pause. A pause ends after a random time.
 */
public final class AdminCommands extends Recurring {

    public AdminCommands(double meanSeconds) {
        super(meanSeconds);
    }

    @Override
    void strike(World world, SeededRandom random) {
        String election = world.elections().get(random.below(world.elections().size()));
        if (random.chance(0.7)) {
            var order = new LeaseNotes.StepDownRequest(
                    random.chance(0.4) ? "" : oneOf(world, random).id(), "operator", "");
            note(world, election, notes -> notes.withStepDownRequest(order), true);
        } else {
            var pause = new LeaseNotes.Pause("operator", "", Instant.EPOCH);
            note(world, election, notes -> notes.withPause(Optional.of(pause)), false);
            world.agenda()
                    .after(
                            random.seconds(0.5, 30),
                            () -> note(world, election, notes -> notes.withPause(Optional.empty()), false));
        }
    }

    private static void note(World world, String election, UnaryOperator<LeaseNotes> change, boolean ifHeld) {
        world.overwrite(
                election,
                record -> record.isHeld() || !ifHeld
                        ? record.noting(change.apply(record.notes()), world.controlNonce())
                        : record.noting(record.notes(), world.controlNonce()));
    }
}
