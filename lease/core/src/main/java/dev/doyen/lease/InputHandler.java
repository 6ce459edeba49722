package dev.doyen.lease;

import dev.doyen.event.LossCause;
import dev.doyen.health.Eligibility;
import dev.doyen.lease.LeaseState.Request;
import dev.doyen.lease.Role.Attempt;
import dev.doyen.lease.Role.Campaigning;
import dev.doyen.lease.Role.Leading;
import dev.doyen.lease.Role.Next;
import dev.doyen.lease.Role.Observing;
import dev.doyen.lease.Role.Releasing;
import dev.doyen.lease.Role.Stopping;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.util.Optional;
import java.util.OptionalLong;

/** Passes each input and each answer of the store to the class that handles it. */
final class InputHandler implements LeaseInput.Cases {

    private final StepContext step;
    private final LeaseRenewal renewal;
    private final LeaseRelease leaseRelease;
    private final Candidacy candidacy;

    InputHandler(StepContext step, LeaseRenewal renewal, LeaseRelease leaseRelease, Candidacy candidacy) {
        this.step = step;
        this.renewal = renewal;
        this.leaseRelease = leaseRelease;
        this.candidacy = candidacy;
    }

    /**
     * Stops waiting for a request that was not answered in time. The outcome of the request is unknown, and a later
     * answer is ignored.
     */
    void giveUpOnSlowRequest() {
        Request request = step.inFlight;
        if (request == null || step.now.nanosSince(request.sentAt()) < step.machine.requestTimeoutNanos()) {
            return;
        }
        step.inFlight = null;
        var fault = StoreFault.away("no answer within " + step.machine.requestTimeoutNanos() / 1_000_000 + " ms");
        if (request.write() == null) {
            step.readFailed(fault);
        } else {
            writeFailed(request.kind(), request.write(), fault);
        }
    }

    @Override
    public void woken(LeaseInput.Woken input) {}

    @Override
    public void changeAnnounced(LeaseInput.ChangeAnnounced input) {
        if (step.role() instanceof Stopping stopping && stopping.mine().isPresent()) {
            // Do not read the record now. A read in flight would delay the release, and the machine must send the
            // release as soon as the work stops.
            return;
        }
        if (!(step.role() instanceof Leading leading)) {
            step.readAtNanos = step.now.nanos();
            return;
        }
        // The store also announces the leader's own writes. The leader treats an announcement soon after an answer as
        // an announcement of its own write.
        boolean own = step.isConfirmedWithin(step.machine.retryPauseNanos());
        if (leading.epoch().isPresent()) {
            step.readAtNanos = own ? step.now.nanos() + step.machine.retryPauseNanos() : step.now.nanos();
        } else if (!own) {
            // The next renewal is due now. If another participant has written, the renewal conflicts, and the
            // conflict returns that participant's record.
            step.become(leading.with(next -> next.renewAtNanos = step.now.nanos()));
        }
    }

    @Override
    public void readAnswered(LeaseInput.ReadAnswered input) {
        if (step.answered(input.request()) == null) {
            return;
        }
        Optional<VersionedLease> mine =
                step.role() instanceof Leading leading ? renewal.mine(leading) : Optional.empty();
        step.observeRead(input.found());
        if (step.role() instanceof Releasing releasing) {
            leaseRelease.readAnswered(releasing, input.found());
        } else if (step.role() instanceof Campaigning campaigning) {
            candidacy.reportIfBlocked(campaigning);
        } else if (step.role() instanceof Leading leading) {
            renewal.readAnswered(leading, input.found(), mine);
        }
    }

    @Override
    public void readFailed(LeaseInput.ReadFailed input) {
        if (step.answered(input.request()) != null) {
            step.readFailed(input.fault());
        }
    }

    @Override
    public void answered(LeaseInput.Answered input) {
        Request request = step.answered(input.request());
        if (request == null || request.write() == null) {
            return;
        }
        Attempt attempt = request.write();
        input.outcome().accept(new CasOutcome.Cases() {
            @Override
            public void written(CasOutcome.Written outcome) {
                writeConfirmed(request.kind(), attempt, outcome.version());
            }

            @Override
            public void conflict(CasOutcome.Conflict outcome) {
                writeConflicted(request.kind(), attempt, outcome.current());
            }

            @Override
            public void unknown(CasOutcome.Unknown outcome) {
                writeFailed(request.kind(), attempt, StoreFault.of(outcome));
            }
        });
    }

    @Override
    public void campaign(LeaseInput.Campaign input) {
        if (step.role() instanceof Observing) {
            step.become(new Campaigning(input.identity(), step.now.nanos()));
            if (!step.observed.isFreeAt(step.now, step.sessions)) {
                step.readAtNanos = step.now.nanos();
            }
        } else {
            leaseRelease.redirect(new Next.Campaign(input.identity(), 0));
        }
    }

    @Override
    public void withdraw(LeaseInput.Withdraw input) {
        leaseRelease.endCandidacy(LossCause.RESIGNED, new Next.Observe());
    }

    @Override
    public void leave(LeaseInput.Leave input) {
        leaseRelease.endCandidacy(LossCause.CLOSED, new Next.End());
    }

    @Override
    public void resign(LeaseInput.Resign input) {
        if (step.role() instanceof Leading leading
                && input.concerns(leading.leaderLease().term())) {
            renewal.stepDown(leading, input);
        } else if (!(step.role() instanceof Stopping || step.role() instanceof Releasing)) {
            step.effect(new LeaseEffect.Settled());
        }
    }

    @Override
    public void workStopped(LeaseInput.WorkStopped input) {
        if (step.role() instanceof Stopping stopping && stopping.endedTerm().term() == input.term()) {
            leaseRelease.workStopped(stopping);
        }
    }

    @Override
    public void save(LeaseInput.Save input) {
        if (step.role() instanceof Leading leading) {
            renewal.save(leading, input);
        }
    }

    @Override
    public void eligibilityChanged(LeaseInput.EligibilityChanged input) {
        Eligibility before = step.eligibility;
        step.eligibility = input.eligibility();
        if (step.role() instanceof Leading leading
                && !step.eligibility.equals(before)
                && !step.eligibility.equals(Eligibility.FIT)) {
            renewal.finish(
                    leading,
                    step.eligibility.lossCause(),
                    renewal.mine(leading),
                    new Next.Campaign(leading.leaderLease().holder(), 0));
        } else if (!(step.role() instanceof Stopping || step.role() instanceof Releasing)) {
            step.effect(new LeaseEffect.Settled());
        }
    }

    @Override
    public void sessionDoubted(LeaseInput.SessionDoubted input) {
        if (step.role() instanceof Leading leading) {
            renewal.sessionDoubted(leading, input.reason());
        }
    }

    @Override
    public void sessionRecovered(LeaseInput.SessionRecovered input) {
        if (step.role() instanceof Leading leading) {
            renewal.sessionRecovered(leading);
        }
    }

    @Override
    public void fence(LeaseInput.Fence input) {
        if (step.role() instanceof Observing observing && observing.endEpoch() < input.epoch()) {
            step.become(new Observing(input.epoch(), step.now.nanos()));
        }
    }

    // ---- answers of the store, by the kind of the request and the present role

    private void writeConfirmed(RequestKind kind, Attempt attempt, LeaseVersion version) {
        VersionedLease stored = VersionedLease.of(version, attempt.record());
        step.observeWritten(stored);
        if (step.role() instanceof Campaigning campaigning && kind == RequestKind.ACQUIRE) {
            if (step.eligibility.mayCampaign()) {
                renewal.begin(campaigning.me(), attempt, version);
            } else {
                // The candidate became ineligible while the acquire was in flight, so it releases the lease.
                leaseRelease.giveBackUnused(campaigning, LossCause.UNHEALTHY, new Next.Campaign(campaigning.me(), 0));
            }
        } else if (step.role() instanceof Leading leading && kind == RequestKind.RENEW) {
            renewal.confirm(leading, attempt, version);
        } else if (step.role() instanceof Stopping stopping && kind == RequestKind.RELEASE) {
            leaseRelease.releasedUnstopped(stopping);
        } else if (step.role() instanceof Stopping stopping && stopping.mine().isPresent()) {
            step.become(stopping.holding(Optional.of(stored)));
        } else if (step.role() instanceof Releasing releasing) {
            leaseRelease.releaseOver(releasing, stored);
        }
    }

    private void writeConflicted(RequestKind kind, Attempt attempt, VersionedLease current) {
        step.observeConflict(current);
        if (step.role() instanceof Leading leading && kind == RequestKind.RENEW) {
            renewal.conflict(leading, attempt, current);
        } else if (step.role() instanceof Campaigning campaigning) {
            candidacy.reportIfBlocked(campaigning);
        } else if (step.role() instanceof Stopping stopping && kind == RequestKind.RELEASE) {
            leaseRelease.releasedUnstopped(stopping);
        } else if (step.role() instanceof Stopping stopping && stopping.mine().isPresent()) {
            boolean stillMine = step.observed.isHeldBy(stopping.endedTerm().me());
            step.become(stopping.holding(stillMine ? Optional.of(current) : Optional.empty()));
        } else if (step.role() instanceof Releasing releasing) {
            leaseRelease.releaseOver(releasing, current);
        }
    }

    private void writeFailed(RequestKind kind, Attempt attempt, StoreFault fault) {
        step.writeFault = Optional.of(fault);
        long retryAtNanos = step.retryAtNanos(fault);
        if (step.role() instanceof Leading leading && kind == RequestKind.RENEW) {
            renewal.doubt(leading, attempt, fault);
        } else if (step.role() instanceof Observing observing && kind == RequestKind.FENCE) {
            step.become(new Observing(observing.endEpoch(), retryAtNanos));
        } else if (step.role() instanceof Campaigning campaigning) {
            // A step-down request has its own delay, so it does not delay the next acquire.
            step.become(new Campaigning(
                    campaigning.me(),
                    kind == RequestKind.STEP_DOWN_REQUEST ? campaigning.notBeforeNanos() : retryAtNanos,
                    campaigning.requestNotBeforeNanos(),
                    kind == RequestKind.ACQUIRE ? Optional.of(step.observed.knownVersion()) : campaigning.doubted()));
            if (!fault.refused()) {
                step.readAtNanos = retryAtNanos;
            }
        } else if (step.role() instanceof Stopping stopping && kind == RequestKind.RELEASE) {
            step.become(stopping.releasing(stopping.mine(), OptionalLong.of(retryAtNanos)));
        } else if (step.role() instanceof Releasing releasing) {
            step.become(releasing.holding(Optional.empty()));
            step.readAtNanos = retryAtNanos;
        }
    }
}
