package dev.doyen.simulator.sessions;

import dev.doyen.driver.LeaseListener;
import dev.doyen.driver.LeaseLoop;
import dev.doyen.driver.LoopContext;
import dev.doyen.event.ElectionEvent;
import dev.doyen.lease.Grant;
import dev.doyen.lease.Identity;
import dev.doyen.lease.LeaseTiming;
import dev.doyen.lease.Priority;
import dev.doyen.simulator.world.Agenda;
import dev.doyen.simulator.world.Dice;
import dev.doyen.simulator.world.SimClock;
import dev.doyen.simulator.world.Violation;
import dev.doyen.store.LeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One process of one life: a loop for each election, under a session or each renewing by itself. */
final class SessionProcess {

    private final SessionWitness witness;
    private final Agenda agenda;
    private final Dice dice;
    private final SimThreads threads;
    private final List<Seat> seats = new ArrayList<>();

    SessionProcess(
            SessionWitness witness,
            Agenda agenda,
            Dice dice,
            SimClock clock,
            Line line,
            LeaseTiming timing,
            String id,
            int life,
            boolean underSession,
            List<String> elections) {
        this.witness = witness;
        this.agenda = agenda;
        this.dice = dice;
        this.threads = new SimThreads(agenda, dice.split(), clock, line, this::lookAround);
        LeaseStore store = line;
        LoopContext context = underSession
                ? LoopContext.underSession(threads, store, timing, dice::next, id)
                : LoopContext.renewing(threads, store, timing, dice::next);
        for (String election : elections) {
            seats.add(new Seat(context, election, new Identity(id, id + "-" + life)));
        }
        for (Seat seat : seats) {
            seat.begin();
        }
    }

    SimThreads threads() {
        return threads;
    }

    /** One of its leaderships is given up, if it has any. */
    void resignOne() {
        if (threads.isRunning()) {
            seats.get(dice.below(seats.size())).loop().resign(Duration.ofSeconds(dice.below(5)), "");
        }
    }

    boolean isAlive() {
        return threads.isAlive();
    }

    void die() {
        threads.die();
        seats.forEach(seat -> witness.claimEnds(seat, agenda.now()));
    }

    /** How long each seat would say that it leads from here on, if nothing more happened in this process. */
    private void lookAround() {
        for (Seat seat : seats) {
            seat.look();
        }
    }

    /** One election as this process takes part in it. */
    final class Seat implements LeaseListener {
        private final String election;
        private final Identity identity;
        private final LeaseLoop loop;
        private long workingTerm;

        Seat(LoopContext context, String election, Identity identity) {
            this.election = election;
            this.identity = identity;
            this.loop = new LeaseLoop(context, election, Priority.DEFAULT, this);
        }

        String election() {
            return election;
        }

        private LeaseLoop loop() {
            return loop;
        }

        private void begin() {
            loop.start();
            loop.stand(identity);
        }

        private void look() {
            Optional<Grant> grant = loop.grant().filter(held -> held.holdsAt(threads.now()));
            if (grant.isPresent() != loop.leads()) {
                throw new Violation("ClaimsAreBounded", this + ": isLeader() and leadership() contradict each other");
            }
            if (grant.isPresent()) {
                witness.claims(this, grant.get().term(), agenda.now(), agenda.now() + longest(grant.get()));
            } else {
                witness.claimEnds(this, agenda.now());
            }
        }

        /** In true time; the clocks of these processes run at constant rates. */
        private long longest(Grant grant) {
            return threads.trueNanos(grant.remainingAt(threads.now()).toNanos());
        }

        @Override
        public void told(ElectionEvent event) {
            if (event instanceof ElectionEvent.Elected elected) {
                witness.elected(this, elected.term());
                workingTerm = elected.term();
            } else if (event instanceof ElectionEvent.Lost lost) {
                witness.lost(this, lost.term(), workingTerm);
                long term = workingTerm;
                workingTerm = 0;
                stopWork(term);
            }
        }

        /** Work stops soon, late, or after so long that it might as well never have. */
        private void stopWork(long term) {
            long delay = dice.chance(0.8) ? dice.seconds(0, 0.5) : dice.seconds(0.5, 30);
            agenda.after(delay, () -> loop.workStopped(term));
        }

        @Override
        public String toString() {
            return identity.incarnation() + " in " + election;
        }
    }
}
