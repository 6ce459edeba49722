package dev.doyen.simulator.invariants;

import dev.doyen.event.ElectionEvent;
import dev.doyen.lease.LeaseEffect;
import dev.doyen.lease.LeaseInput;
import dev.doyen.simulator.world.SimCandidate;
import dev.doyen.simulator.world.Witness;
import dev.doyen.simulator.world.World;
import dev.doyen.store.VersionedLease;
import java.util.ArrayList;
import java.util.List;

/** Forwards each event of a run to all invariants. */
public final class Invariants implements Witness {

    private final Witness[] all;

    private Invariants(List<Witness> all) {
        this.all = all.toArray(Witness[]::new);
    }

    /** Returns all invariants, followed by {@code others}. */
    public static Invariants all(double rho, Witness... others) {
        List<Witness> all = new ArrayList<>(List.of(
                new NoOverlap(),
                new TermsGrow(),
                new EventsAlternate(),
                new HandOverStateNeverGoesBack(),
                new StopBeforeRelease(),
                new ClaimsAreBounded(rho),
                new LossHasAReason(),
                new RequestsHaveAReason(),
                new NoBusyLoop()));
        all.addAll(List.of(others));
        return new Invariants(all);
    }

    @Override
    public void stepped(SimCandidate candidate, LeaseInput input) {
        for (Witness each : all) {
            each.stepped(candidate, input);
        }
    }

    @Override
    public void sent(SimCandidate candidate, LeaseEffect.Write write) {
        for (Witness each : all) {
            each.sent(candidate, write);
        }
    }

    @Override
    public void committed(SimCandidate by, VersionedLease before, VersionedLease after, long sentAt) {
        for (Witness each : all) {
            each.committed(by, before, after, sentAt);
        }
    }

    @Override
    public void overwritten(String election, VersionedLease before, VersionedLease after) {
        for (Witness each : all) {
            each.overwritten(election, before, after);
        }
    }

    @Override
    public void onEvent(SimCandidate candidate, ElectionEvent event) {
        for (Witness each : all) {
            each.onEvent(candidate, event);
        }
    }

    @Override
    public void saveConfirmed(SimCandidate candidate, long state) {
        for (Witness each : all) {
            each.saveConfirmed(candidate, state);
        }
    }

    @Override
    public void ended(SimCandidate candidate) {
        for (Witness each : all) {
            each.ended(candidate);
        }
    }

    @Override
    public void claims(SimCandidate candidate) {
        for (Witness each : all) {
            each.claims(candidate);
        }
    }

    @Override
    public void claimEnded(SimCandidate candidate, long term, long from, long to) {
        for (Witness each : all) {
            each.claimEnded(candidate, term, from, to);
        }
    }

    @Override
    public void acted(SimCandidate candidate, long term) {
        for (Witness each : all) {
            each.acted(candidate, term);
        }
    }

    @Override
    public void finish(World world) {
        for (Witness each : all) {
            each.finish(world);
        }
    }
}
