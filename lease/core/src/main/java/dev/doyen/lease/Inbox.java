package dev.doyen.lease;

import dev.doyen.event.LossCause;
import dev.doyen.lease.LeaseState.Request;
import dev.doyen.lease.Role.Attempt;
import dev.doyen.lease.Role.Leading;
import dev.doyen.lease.Role.Next;
import dev.doyen.lease.Role.Observing;
import dev.doyen.lease.Role.Releasing;
import dev.doyen.lease.Role.Standing;
import dev.doyen.lease.Role.Stopping;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.util.Optional;
import java.util.OptionalLong;

/** Passes each input, and each answer of the store, to the rule that decides it. */
final class Inbox implements LeaseInput.Cases {

    private final Turn turn;
    private final Tenure tenure;
    private final Departure departure;
    private final Candidacy candidacy;

    Inbox(Turn turn, Tenure tenure, Departure departure, Candidacy candidacy) {
        this.turn = turn;
        this.tenure = tenure;
        this.departure = departure;
        this.candidacy = candidacy;
    }

    /** Gives up a request that was not answered in time: its outcome is unknown. A later answer is ignored. */
    void giveUpOnSlowRequest() {
        Request request = turn.inFlight;
        if (request == null || turn.now.nanosSince(request.sentAt()) < turn.machine.requestTimeoutNanos()) {
            return;
        }
        turn.inFlight = null;
        if (request.write() == null) {
            turn.lookAgainSoon();
        } else {
            String reason = "no answer within " + turn.machine.requestTimeoutNanos() / 1_000_000 + " ms";
            writeUnknown(request.kind(), request.write(), reason);
        }
    }

    @Override
    public void woken(LeaseInput.Woken input) {}

    @Override
    public void noticed(LeaseInput.Noticed input) {
        if (turn.role() instanceof Stopping stopping && stopping.mine().isPresent()) {
            // The release must go out as soon as the work has stopped. A read in flight would delay it.
            return;
        }
        if (!(turn.role() instanceof Leading leading)) {
            turn.lookAtNanos = turn.now.nanos();
            return;
        }
        // The store also announces the leader's own writes. An announcement soon after an answer is taken for one of
        // them.
        boolean own = turn.isConfirmedWithin(turn.machine.retryPauseNanos());
        if (leading.epoch().isPresent()) {
            turn.lookAtNanos = own ? turn.now.nanos() + turn.machine.retryPauseNanos() : turn.now.nanos();
        } else if (!own) {
            // The next renewal is due now. It conflicts, and the conflict shows what another participant wrote.
            turn.become(leading.with(next -> next.renewAtNanos = turn.now.nanos()));
        }
    }

    @Override
    public void looked(LeaseInput.Looked input) {
        if (turn.answered(input.request()) == null) {
            return;
        }
        turn.observe(input.found());
        if (turn.role() instanceof Releasing releasing) {
            departure.releaseOver(releasing, input.found());
        } else if (turn.role() instanceof Standing standing) {
            candidacy.sayIfBlocked(standing);
        } else if (turn.role() instanceof Leading leading) {
            tenure.looked(leading, input.found());
        }
    }

    @Override
    public void lookFailed(LeaseInput.LookFailed input) {
        if (turn.answered(input.request()) != null) {
            turn.lookAgainSoon();
        }
    }

    @Override
    public void answered(LeaseInput.Answered input) {
        Request request = turn.answered(input.request());
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
                writeUnknown(request.kind(), attempt, outcome.reason());
            }
        });
    }

    @Override
    public void stand(LeaseInput.Stand input) {
        if (turn.role() instanceof Observing) {
            turn.become(new Standing(input.identity(), turn.now.nanos()));
            if (!turn.sight.isFreeAt(turn.now, turn.sessions)) {
                turn.lookAtNanos = turn.now.nanos();
            }
        } else {
            departure.redirect(new Next.Stand(input.identity(), 0));
        }
    }

    @Override
    public void withdraw(LeaseInput.Withdraw input) {
        departure.endCandidacy(LossCause.RESIGNED, new Next.Observe());
    }

    @Override
    public void leave(LeaseInput.Leave input) {
        departure.endCandidacy(LossCause.CLOSED, new Next.End());
    }

    @Override
    public void resign(LeaseInput.Resign input) {
        if (turn.role() instanceof Leading leading
                && input.concerns(leading.grant().term())) {
            var next = new Next.Stand(leading.grant().holder(), input.cooldown().toNanos());
            LossCause cause = input.heir().isEmpty() ? LossCause.RESIGNED : LossCause.TRANSFERRED;
            tenure.finish(leading, cause, tenure.mine(leading), next, input.heir());
        } else if (!(turn.role() instanceof Stopping || turn.role() instanceof Releasing)) {
            turn.effect(new LeaseEffect.Settled());
        }
    }

    @Override
    public void workStopped(LeaseInput.WorkStopped input) {
        if (turn.role() instanceof Stopping stopping && stopping.tenancy().term() == input.term()) {
            departure.workStopped(stopping);
        }
    }

    @Override
    public void save(LeaseInput.Save input) {
        if (turn.role() instanceof Leading leading) {
            tenure.save(leading, input);
        }
    }

    @Override
    public void judged(LeaseInput.Judged input) {
        Fitness before = turn.fitness;
        turn.fitness = input.fitness();
        if (turn.role() instanceof Leading leading && !turn.fitness.equals(before) && !turn.fitness.equals(Fitness.FIT)) {
            tenure.finish(
                    leading,
                    turn.fitness.lossCause(),
                    tenure.mine(leading),
                    new Next.Stand(leading.grant().holder(), 0),
                    "");
        } else if (!(turn.role() instanceof Stopping || turn.role() instanceof Releasing)) {
            turn.effect(new LeaseEffect.Settled());
        }
    }

    @Override
    public void sessionDoubted(LeaseInput.SessionDoubted input) {
        if (turn.role() instanceof Leading leading) {
            tenure.sessionDoubted(leading, input.reason());
        }
    }

    @Override
    public void sessionRecovered(LeaseInput.SessionRecovered input) {
        if (turn.role() instanceof Leading leading) {
            tenure.sessionRecovered(leading);
        }
    }

    @Override
    public void fence(LeaseInput.Fence input) {
        if (turn.role() instanceof Observing observing && observing.endEpoch() < input.epoch()) {
            turn.become(new Observing(input.epoch(), turn.now.nanos()));
        }
    }

    // ---- answers, by request and by present role

    private void writeConfirmed(Request.Kind kind, Attempt attempt, LeaseVersion version) {
        VersionedLease stored = VersionedLease.of(version, attempt.record());
        turn.observe(stored);
        if (turn.role() instanceof Standing standing && kind == Request.Kind.ACQUIRE) {
            if (turn.fitness.stands()) {
                tenure.begin(standing.me(), attempt, version);
            } else {
                // The candidate became ineligible while the acquire was in flight, so it releases what it won.
                departure.giveBackUnused(standing, LossCause.UNHEALTHY, new Next.Stand(standing.me(), 0));
            }
        } else if (turn.role() instanceof Leading leading && kind == Request.Kind.RENEW) {
            tenure.confirm(leading, attempt, version);
        } else if (turn.role() instanceof Stopping stopping && kind == Request.Kind.RELEASE) {
            departure.releasedUnstopped(stopping);
        } else if (turn.role() instanceof Stopping stopping && stopping.mine().isPresent()) {
            turn.become(stopping.holding(Optional.of(stored)));
        } else if (turn.role() instanceof Releasing releasing) {
            departure.releaseOver(releasing, stored);
        }
    }

    private void writeConflicted(Request.Kind kind, Attempt attempt, VersionedLease current) {
        turn.observe(current);
        if (turn.role() instanceof Leading leading && kind == Request.Kind.RENEW) {
            tenure.conflict(leading, attempt, current);
        } else if (turn.role() instanceof Standing standing) {
            candidacy.sayIfBlocked(standing);
        } else if (turn.role() instanceof Stopping stopping && kind == Request.Kind.RELEASE) {
            departure.releasedUnstopped(stopping);
        } else if (turn.role() instanceof Stopping stopping && stopping.mine().isPresent()) {
            boolean stillMine = turn.sight.isHeldBy(stopping.tenancy().me());
            turn.become(stopping.holding(stillMine ? Optional.of(current) : Optional.empty()));
        } else if (turn.role() instanceof Releasing releasing) {
            departure.releaseOver(releasing, current);
        }
    }

    private void writeUnknown(Request.Kind kind, Attempt attempt, String reason) {
        long retryAtNanos = turn.now.nanos() + turn.machine.retryPauseNanos();
        if (turn.role() instanceof Leading leading && kind == Request.Kind.RENEW) {
            tenure.doubt(leading, attempt, reason);
        } else if (turn.role() instanceof Observing observing && kind == Request.Kind.FENCE) {
            turn.become(new Observing(observing.endEpoch(), retryAtNanos));
        } else if (turn.role() instanceof Standing standing) {
            turn.become(new Standing(
                    standing.me(),
                    retryAtNanos,
                    standing.askNotBeforeNanos(),
                    kind == Request.Kind.ACQUIRE ? Optional.of(turn.sight.knownVersion()) : standing.doubted()));
            turn.lookAtNanos = retryAtNanos;
        } else if (turn.role() instanceof Stopping stopping && kind == Request.Kind.RELEASE) {
            turn.become(stopping.releasing(stopping.mine(), OptionalLong.of(retryAtNanos)));
        } else if (turn.role() instanceof Releasing releasing) {
            turn.become(releasing.holding(Optional.empty()));
            turn.lookAtNanos = retryAtNanos;
        }
    }
}
