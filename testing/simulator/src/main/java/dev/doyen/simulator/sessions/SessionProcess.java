package dev.doyen.simulator.sessions;

import dev.doyen.Election;
import dev.doyen.Elections;
import dev.doyen.LeaseCandidate;
import dev.doyen.LeaseLeadership;
import dev.doyen.election.ElectionListener;
import dev.doyen.election.LeaseTiming;
import dev.doyen.election.NotLeaderException;
import dev.doyen.event.LossCause;
import dev.doyen.event.SavedState;
import dev.doyen.simulator.world.Agenda;
import dev.doyen.simulator.world.SeededRandom;
import dev.doyen.simulator.world.SimClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One run of a process that uses the library as an application does.
 *
 * <p>It has a candidate in each election, under a shared session or each with its own lease. Each candidate has a
 * thread in {@code whileLeading}.
 */
final class SessionProcess {

    /**
     * A candidate may still lead for this long after {@code whileLeading} has ended. The time covers only actions that
     * are already due.
     */
    private static final long IDLE_NANOS = 100_000_000;

    private static final long FOR_EVER = 1_000_000_000_000L;

    private final SessionWitness witness;
    private final Agenda agenda;
    private final SeededRandom random;
    private final SimThreads threads;
    private final String name;
    private final List<Seat> seats = new ArrayList<>();
    private final boolean mayHang;
    private boolean wellBehaved;

    /**
     * @param wellBehaved whether its tasks work until their term ends, and then stop
     * @param mayHang whether a task may never stop if it is not well behaved
     */
    SessionProcess(
            SessionWitness witness,
            Agenda agenda,
            SeededRandom random,
            SimClock clock,
            Line line,
            LeaseTiming timing,
            String name,
            boolean underSession,
            boolean wellBehaved,
            boolean mayHang,
            List<String> elections) {
        this.witness = witness;
        this.agenda = agenda;
        this.random = random;
        this.name = name;
        this.wellBehaved = wellBehaved;
        this.mayHang = mayHang;
        this.threads = new SimThreads(agenda, random.split(), clock, line, this::lookAround);
        if (underSession) {
            Elections all = Elections.lease()
                    .store(line)
                    .timing(timing)
                    .process(name)
                    .threads(threads, random::next)
                    .open();
            elections.forEach(each -> seats.add(new Seat(all.named(each))));
        } else {
            elections.forEach(each -> seats.add(new Seat(Election.lease(each)
                    .store(line)
                    .timing(timing)
                    .threads(threads, random::next)
                    .open())));
        }
        seats.forEach(Seat::begin);
    }

    SimThreads threads() {
        return threads;
    }

    /** Resigns the leadership of this election, if this process leads it. */
    void resign(String election, Duration cooldown) {
        if (threads.isRunning()) {
            seats.stream().filter(each -> each.election.equals(election)).forEach(each -> {
                var unused = each.candidate.resign(cooldown);
            });
        }
    }

    /** Closes the candidate in this election, and joins with another one some time later. */
    void rejoin(String election) {
        if (threads.isRunning()) {
            seats.stream()
                    .filter(each -> each.election.equals(election) && !each.closing)
                    .findFirst()
                    .ifPresent(Seat::rejoin);
        }
    }

    /** Makes later tasks work until their term ends, and then stop. */
    void heal() {
        wellBehaved = true;
    }

    boolean isAlive() {
        return threads.isAlive();
    }

    void die() {
        threads.die();
        seats.forEach(seat -> witness.claimEnds(seat, agenda.now()));
    }

    /**
     * Records how long each candidate would claim to lead.
     *
     * <p>The time assumes that nothing more happens in this process.
     */
    private void lookAround() {
        seats.forEach(Seat::read);
        witness.judge();
    }

    /** The participation of this process in one election. */
    final class Seat implements ElectionListener<LeaseLeadership> {
        private final Election home;
        private final String election;
        private final LeaseCandidate candidate;
        private boolean closing;
        private boolean taskMissing;
        private int spells;

        Seat(Election home) {
            this.home = home;
            this.election = home.name();
            this.candidate = home.join(name);
        }

        String election() {
            return election;
        }

        private void begin() {
            candidate.listen(this);
            threads.start(this::workOnAndOn);
        }

        private void rejoin() {
            closing = true;
            threads.start(() -> {
                candidate.close();
                threads.sleepThrough(random.seconds(0, 10));
                var next = new Seat(home);
                seats.add(next);
                next.begin();
            });
        }

        private void read() {
            Optional<LeaseLeadership> leadership = candidate.leadership();
            if (taskMissing && leadership.isPresent()) {
                witness.found("LeaderWorksOrResigns", this + " leads, but its task has ended");
            }
            if (leadership.isPresent() != candidate.isLeader()) {
                witness.found("ClaimsAreBounded", this + ": isLeader() and leadership() contradict each other");
            }
            if (leadership.isPresent()) {
                long remaining = threads.trueNanos(leadership.get().remaining().toNanos());
                witness.claims(this, leadership.get().term(), agenda.now(), agenda.now() + remaining);
            } else {
                witness.claimEnds(this, agenda.now());
            }
        }

        /**
         * The loop of the application's task thread. After a task has ended, the thread calls {@code whileLeading}
         * again later.
         */
        private void workOnAndOn() {
            boolean open = true;
            while (open) {
                try {
                    open = candidate.whileLeading(this::work);
                } catch (NotLeaderException e) {
                    witness.found("LeaderWorksOrResigns", this + ": the end of a term seems a failure of the task");
                } catch (InterruptedException | IllegalStateException | Line.InjectedError e) {
                    // The task has thrown it. The candidate is still open.
                }
                taskEnded();
                threads.sleepThrough(random.seconds(0, 20));
                if (random.chance(0.3)) {
                    taskComes();
                    candidate.resume();
                    threads.sleepThrough(random.seconds(0, 5));
                }
                taskComes();
            }
        }

        /**
         * Checks that a leader works or resigns.
         *
         * <p>After {@code whileLeading} has ended, the candidate must not lead any more.
         */
        private void taskEnded() {
            int spell = ++spells;
            threads.deliver(IDLE_NANOS, () -> taskMissing |= spell == spells);
        }

        private void taskComes() {
            spells++;
            taskMissing = false;
        }

        private void work(LeaseLeadership leadership) throws InterruptedException {
            if (!leadership.isCertain()) {
                witness.found("LeaderWorksOrResigns", this + " begins to work under " + leadership + ", which is over");
            }
            double luck = wellBehaved ? 0 : random.unit();
            if (luck < 0.5) {
                workUntilLost(leadership, Long.MAX_VALUE);
            } else if (luck < 0.6) {
                workToTheLastMoment(leadership);
            } else if (luck < 0.85) {
                workUntilLost(leadership, threads.now().nanos() + random.seconds(0, 30));
                endSomehow();
            } else {
                try {
                    workUntilLost(leadership, Long.MAX_VALUE);
                } finally {
                    // The work stops late, or still continues at the end of the run.
                    threads.sleepThrough(mayHang && random.chance(0.5) ? FOR_EVER : random.seconds(0, 30));
                }
            }
        }

        private void workUntilLost(LeaseLeadership leadership, long untilNanos) throws InterruptedException {
            while (untilNanos == Long.MAX_VALUE || threads.now().nanos() - untilNanos < 0) {
                leadership.check();
                if (random.chance(0.2)) {
                    leadership.save(SavedState.ofText(name + random.below(1000)));
                }
                threads.sleep(random.seconds(0.2, 4));
            }
        }

        /** Works for exactly the time that the leadership is certain. */
        private void workToTheLastMoment(LeaseLeadership leadership) throws InterruptedException {
            while (true) {
                leadership.check();
                threads.sleep(leadership.remaining().toNanos());
            }
        }

        private void endSomehow() throws InterruptedException {
            double luck = random.unit();
            if (luck < 0.4) {
                throw new IllegalStateException("the work cannot be done");
            } else if (luck < 0.6) {
                throw new Line.InjectedError();
            } else if (luck < 0.7) {
                throw new InterruptedException("by somebody else");
            }
        }

        @Override
        public void elected(LeaseLeadership leadership) {
            witness.elected(this, leadership.term());
        }

        @Override
        public void lost(LossCause cause) {
            witness.lost(this);
        }

        @Override
        public String toString() {
            return name + " in " + election;
        }
    }
}
