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
 * <p>The process has a candidate in each election. Either all candidates share a session, or each election has its
 * own lease. Each candidate has a thread in {@code whileLeading}.
 */
final class SessionProcess {

    /** The maximum time for which a candidate still leads after {@code whileLeading} has ended. */
    private static final long IDLE_NANOS = 100_000_000;

    private static final long FOR_EVER = 1_000_000_000_000L;

    private final SessionWitness witness;
    private final Agenda agenda;
    private final SeededRandom random;
    private final SimThreads threads;
    private final String name;
    private final Line line;
    private final List<SessionCandidate> candidates = new ArrayList<>();
    private final boolean mayHang;
    private boolean wellBehaved;

    /**
     * Starts the process.
     *
     * @param wellBehaved true if the tasks of this process work until their term ends, and then stop
     * @param mayHang true if some tasks that are not well behaved never stop
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
        this.line = line;
        this.wellBehaved = wellBehaved;
        this.mayHang = mayHang;
        this.threads = new SimThreads(agenda, random.split(), clock, line, this::readAll);
        if (underSession) {
            Elections all = Elections.lease()
                    .store(line)
                    .timing(timing)
                    .process(name)
                    .threads(threads, random::next)
                    .open();
            elections.forEach(each -> candidates.add(new SessionCandidate(all.named(each))));
        } else {
            elections.forEach(each -> candidates.add(new SessionCandidate(Election.lease(each)
                    .store(line)
                    .timing(timing)
                    .threads(threads, random::next)
                    .open())));
        }
        candidates.forEach(SessionCandidate::begin);
    }

    SimThreads threads() {
        return threads;
    }

    /**
     * Resigns the leadership of this election, if this process leads it. Does nothing if the process is frozen or dead.
     */
    void resign(String election, Duration cooldown) {
        if (threads.isRunning()) {
            candidates.stream().filter(each -> each.election.equals(election)).forEach(each -> {
                var unused = each.candidate.resign(cooldown);
            });
        }
    }

    /**
     * Closes the candidate in this election, and later joins with a new candidate. Does nothing if the process is
     * frozen or dead.
     */
    void rejoin(String election) {
        if (threads.isRunning()) {
            candidates.stream()
                    .filter(each -> each.election.equals(election) && !each.closing)
                    .findFirst()
                    .ifPresent(SessionCandidate::rejoin);
        }
    }

    /** Makes each new task work until its term ends, and then stop. */
    void heal() {
        wellBehaved = true;
    }

    boolean isAlive() {
        return threads.isAlive();
    }

    void die() {
        threads.die();
        candidates.forEach(candidate -> witness.claimEnds(candidate, agenda.now()));
    }

    /**
     * Records the time for which each candidate will claim to lead.
     *
     * <p>A later action of this process can change this time.
     */
    private void readAll() {
        candidates.forEach(SessionCandidate::read);
        witness.judge();
    }

    /** The participation of this process in one election. */
    final class SessionCandidate implements ElectionListener<LeaseLeadership> {
        private final Election home;
        private final String election;
        private final LeaseCandidate candidate;
        private boolean closing;
        private boolean taskMissing;
        private int spells;

        SessionCandidate(Election home) {
            this.home = home;
            this.election = home.name();
            this.candidate = home.join(name);
        }

        String election() {
            return election;
        }

        private void begin() {
            candidate.listen(this);
            threads.start(this::workUntilTheEnd);
        }

        private void rejoin() {
            closing = true;
            threads.start(() -> {
                candidate.close();
                threads.sleepThrough(random.seconds(0, 10));
                var next = new SessionCandidate(home);
                candidates.add(next);
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
        private void workUntilTheEnd() {
            boolean open = true;
            while (open) {
                try {
                    open = candidate.whileLeading(this::work);
                } catch (NotLeaderException e) {
                    witness.found(
                            "LeaderWorksOrResigns", this + ": the end of a term is reported as a failure of the task");
                } catch (InterruptedException | IllegalStateException | Line.InjectedError e) {
                    // The task has thrown this exception. The candidate is still open.
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
         * Sets {@code taskMissing} after {@link #IDLE_NANOS}, unless another task begins before.
         *
         * <p>From then on, the candidate must not lead.
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
                witness.found(
                        "LeaderWorksOrResigns", this + " begins to work under " + leadership + ", which has ended");
            }
            double drawn = wellBehaved ? 0 : random.unit();
            if (drawn < 0.5) {
                workUntilLost(leadership, Long.MAX_VALUE);
            } else if (drawn < 0.6) {
                workToTheLastMoment(leadership);
            } else if (drawn < 0.85) {
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

        /** Works for exactly the time for which the leadership is certain. */
        private void workToTheLastMoment(LeaseLeadership leadership) throws InterruptedException {
            while (true) {
                leadership.check();
                threads.sleep(leadership.remaining().toNanos());
            }
        }

        private void endSomehow() throws InterruptedException {
            double drawn = random.unit();
            if (drawn < 0.4) {
                throw new IllegalStateException("the work fails on purpose");
            } else if (drawn < 0.6) {
                throw new Line.InjectedError();
            } else if (drawn < 0.7) {
                throw new InterruptedException("interrupted by another thread");
            }
        }

        @Override
        public void elected(LeaseLeadership leadership) {
            witness.elected(this, leadership.term());
        }

        @Override
        public void lost(LossCause cause) {
            witness.lost(this, cause);
            if (cause == LossCause.SUPERSEDED && !closing && line.readsManyOlderVersions()) {
                rejoin();
            }
        }

        @Override
        public String toString() {
            return name + " in " + election;
        }
    }
}
