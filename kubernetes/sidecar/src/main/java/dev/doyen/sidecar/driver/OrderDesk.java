package dev.doyen.sidecar.driver;

import dev.doyen.election.NotLeaderException;
import dev.doyen.elector.Deed;
import dev.doyen.elector.http.Deeds;
import dev.doyen.elector.http.HttpReply;
import dev.doyen.elector.http.LeaderWait;
import dev.doyen.elector.http.OrdersUnderWay;
import dev.doyen.elector.wording.Wording;
import dev.doyen.event.Explanation.Reason;
import dev.doyen.event.Leader;
import dev.doyen.event.SavedState;
import dev.doyen.sidecar.Standing;
import dev.doyen.store.LeaseRecord;
import dev.doyen.text.ElectionNames;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Carries out admin commands that arrive over HTTP.
 *
 * <p>A command goes to this process's candidate if that leads, else to the leader through the lease record.
 *
 * <p>Threads: those of {@link OrdersUnderWay}.
 */
final class OrderDesk implements Deeds {

    /** Reasons for which a running candidate cannot take over, regardless of the others. */
    private static final Set<Reason> INELIGIBLE =
            EnumSet.of(Reason.CANDIDATE_PAUSED, Reason.UNHEALTHY, Reason.WITHOUT_TASK);

    private final Seat seat;
    private final LeaderWait waits;
    private final OrdersUnderWay orders = new OrdersUnderWay();

    OrderDesk(Seat seat) {
        this.seat = seat;
        this.waits = new LeaderWait(() -> seat.known().view(), seat.settings().ttl());
    }

    @Override
    public CompletionStage<HttpReply> carryOut(Deed deed) {
        return orders.carryOut(() -> reply(deed));
    }

    private CompletableFuture<HttpReply> reply(Deed deed) {
        if (seat.opened().isEmpty()) {
            return now(OrdersUnderWay.away("the store is not open yet; try again in a few seconds"));
        }
        return deed.choose(new Carrying());
    }

    private static CompletableFuture<HttpReply> now(HttpReply reply) {
        return CompletableFuture.completedFuture(reply);
    }

    private static CompletableFuture<HttpReply> done(String sentence) {
        return now(OrdersUnderWay.done(200, sentence));
    }

    /** Rejects any id but that of this process's candidate, because this program controls only that one. */
    private Optional<CompletableFuture<HttpReply>> refusal(String id) {
        var own = seat.settings().id();
        return id.equals(own)
                ? Optional.empty()
                : Optional.of(now(OrdersUnderWay.refused(
                        404, "this program's only candidate is \"" + own + "\"; ask the program of the other")));
    }

    private final class Carrying implements Deed.Kinds<CompletableFuture<HttpReply>> {

        private final Seat.Opened opened = seat.opened().orElseThrow();

        @Override
        public CompletableFuture<HttpReply> resign(Deed.Resign deed) {
            if (seat.appStopped()) {
                return done("the lease is being given back");
            }
            return ask(
                    () -> deed.cooldown().map(opened.candidate()::resign).orElseGet(opened.candidate()::resign),
                    () -> seat.control().resign(deed.reason()),
                    asked -> waits.resigned(asked, waits.of(deed.waitFor())));
        }

        @Override
        public CompletableFuture<HttpReply> transfer(Deed.Transfer deed) {
            ElectionNames.check("candidate id", deed.to());
            return waits.leadsAlready(deed.to())
                    .or(() -> ownCannotLead(deed.to()))
                    .map(OrderDesk::now)
                    .orElseGet(() -> ask(
                            () -> opened.candidate().transferTo(deed.to()),
                            () -> seat.control().transferTo(deed.to(), deed.reason()),
                            asked -> waits.transferred(asked, deed.to(), waits.of(deed.waitFor()))));
        }

        /** The store knows only the leader, but this process also knows its own candidate. */
        private Optional<HttpReply> ownCannotLead(String to) {
            if (!to.equals(seat.settings().id())) {
                return Optional.empty();
            }
            var why = opened.candidate().explain();
            if (INELIGIBLE.contains(why.reason())) {
                return Optional.of(cannotTakeOver(to, why.sentence()));
            }
            // The candidate carries out a pause a little later than the request for it is answered.
            return seat.stands() ? Optional.empty() : Optional.of(cannotTakeOver(to, "this candidate is paused"));
        }

        private static HttpReply cannotTakeOver(String to, String why) {
            return OrdersUnderWay.refused(409, Wording.quoted(to) + " cannot take over: " + why);
        }

        /**
         * Asks this process's candidate if it leads, and else the leader through the record.
         *
         * @param after replies after that
         */
        private CompletableFuture<HttpReply> ask(
                Supplier<CompletableFuture<Void>> own,
                Supplier<Optional<Leader>> other,
                Function<Leader, CompletableFuture<HttpReply>> after) {
            var leadership = opened.candidate().leadership();
            if (leadership.isEmpty()) {
                return other.get().map(after).orElseGet(() -> now(OrdersUnderWay.nobodyLeads()));
            }
            var asked = new Leader(seat.settings().id(), leadership.get().term());
            return OrdersUnderWay.inTime(own.get())
                    .thenCompose(inTime -> inTime
                            ? after.apply(asked)
                            : now(OrdersUnderWay.done(
                                    202,
                                    "this candidate steps down; the lease is not released yet, because its work has"
                                            + " not stopped or the store does not answer")));
        }

        @Override
        public CompletableFuture<HttpReply> pause(Deed.Pause deed) {
            seat.control().pause(deed.reason());
            return now(OrdersUnderWay.done(202, "nobody may lead; a leader steps down when it sees that"));
        }

        @Override
        public CompletableFuture<HttpReply> resume(Deed.Resume deed) {
            return done(
                    seat.control().resume().isPresent() ? "somebody may lead again" : "the election was not paused");
        }

        @Override
        public CompletableFuture<HttpReply> readState(Deed.ReadState deed) {
            var state = opened.candidate()
                    .leadership()
                    .map(own -> own.state())
                    .orElseGet(
                            () -> seat.read().record().map(LeaseRecord::state).orElse(SavedState.EMPTY));
            return now(OrdersUnderWay.bytes(state));
        }

        @Override
        public CompletableFuture<HttpReply> saveState(Deed.SaveState deed) {
            var leadership = opened.candidate().leadership();
            if (leadership.isEmpty()) {
                return notLeading("this candidate does not lead, so it leaves nothing; ask the one that does");
            }
            try {
                leadership.get().save(deed.state());
                return done("stored in term " + leadership.get().term());
            } catch (NotLeaderException e) {
                return notLeading(
                        "this candidate led no more before the state was stored; whether it is, is not known");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return now(OrdersUnderWay.away("this program is ending"));
            }
        }

        @Override
        public CompletableFuture<HttpReply> stand(Deed.Stand deed) {
            return refusal(deed.id()).orElseGet(() -> {
                long until = System.nanoTime() + deed.ttl().toNanos();
                seat.stand(standing -> standing.standUntil(until));
                return done("this candidate stands for " + deed.ttl().toMillis() + " ms, unless it is said again");
            });
        }

        @Override
        public CompletableFuture<HttpReply> standBack(Deed.StandBack deed) {
            return refusal(deed.id()).orElseGet(() -> {
                seat.stand(Standing::standBack);
                return done("this candidate does not stand");
            });
        }

        private CompletableFuture<HttpReply> notLeading(String sentence) {
            return now(OrdersUnderWay.refused(409, sentence));
        }
    }
}
