package dev.doyen.cli.run;

import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;

/** Builds a {@link Notice} for each event that the run machine reports. */
final class RunNotices {

    private final String election;

    RunNotices(String election) {
        this.election = "election \"" + election + "\"";
    }

    Notice waiting(Leader leader) {
        return Notice.loud("waiting", "waiting: " + ledBy(leader))
                .inTerm(leader.term())
                .ledBy(leader.id());
    }

    Notice nobodyLeads() {
        return Notice.loud("waiting", "waiting: nobody leads " + election);
    }

    Notice mayNotWait(Leader leader) {
        return Notice.loud("gave-up", ledBy(leader) + "; --no-wait was set")
                .inTerm(leader.term())
                .ledBy(leader.id());
    }

    Notice waitEnded() {
        return Notice.loud("gave-up", "was not elected in " + election + " in time; stopped waiting");
    }

    Notice elected(long term) {
        return Notice.quiet("elected", "leads " + election + " in term " + term).inTerm(term);
    }

    Notice leaseExpiresSoon(long term) {
        return Notice.loud(
                        "lease-expires-soon",
                        "the lease of " + election + " expires soon and cannot be renewed; stopping the command")
                .inTerm(term);
    }

    Notice lost(long term, LossCause cause) {
        return Notice.loud(
                        "lost",
                        "lost " + election + " in term " + term + " (" + cause.description()
                                + "); stopping the command")
                .inTerm(term);
    }

    Notice exited(long term, int code) {
        return Notice.quiet("exited", "the command exited with code " + code)
                .inTerm(term)
                .withExitCode(code);
    }

    Notice killed(long term) {
        return Notice.loud("killed", "killing the processes of the command").inTerm(term);
    }

    Notice killedByWatchdog(long term) {
        return Notice.loud(
                        "killed",
                        "the lease of " + election
                                + " expired while this process was suspended or delayed; the watchdog killed the command")
                .inTerm(term);
    }

    Notice overlapped(long oldTerm, Leader by) {
        return Notice.loud(
                        "overlapped",
                        "the processes of the command from term " + oldTerm + " still run, and " + ledBy(by)
                                + "; only the fencing token protects the data that both write")
                .inTerm(oldTerm)
                .ledBy(by.id());
    }

    Notice leftBehind(long term) {
        return Notice.quiet("left-behind", "the command left processes behind; stopping them")
                .inTerm(term);
    }

    Notice saveTookTooLong(long term) {
        return Notice.loud(
                        "state-not-saved",
                        "the state of the command could not be saved in time; the next leader receives the state saved"
                                + " before")
                .inTerm(term);
    }

    private String ledBy(Leader leader) {
        return "\"" + leader.id() + "\" leads " + election + " in term " + leader.term();
    }
}
