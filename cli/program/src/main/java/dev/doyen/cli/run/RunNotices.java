package dev.doyen.cli.run;

import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;

/** Builds the notices of a run machine. */
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
        return Notice.loud("gave-up", ledBy(leader) + "; the command was not to wait")
                .inTerm(leader.term())
                .ledBy(leader.id());
    }

    Notice waitedInVain() {
        return Notice.loud("gave-up", "was not elected in " + election + " in time; gave up");
    }

    Notice elected(long term) {
        return Notice.quiet("elected", "leads " + election + " in term " + term).inTerm(term);
    }

    Notice leaseRunsOut(long term) {
        return Notice.loud(
                        "lease-running-out",
                        "the lease of " + election + " is running out and cannot be renewed; stopping the command")
                .inTerm(term);
    }

    Notice lost(long term, LossCause cause) {
        return Notice.loud(
                        "lost",
                        "lost " + election + " in term " + term + " (" + spelled(cause) + "); stopping the command")
                .inTerm(term);
    }

    Notice exited(long term, int code) {
        return Notice.quiet("exited", "the command exited with code " + code)
                .inTerm(term)
                .withExitCode(code);
    }

    Notice killed(long term) {
        return Notice.loud("killed", "killing what the command started").inTerm(term);
    }

    Notice killedByGuard(long term) {
        return Notice.loud(
                        "killed",
                        "the lease of " + election + " ran out while this process stood still; the command was killed")
                .inTerm(term);
    }

    Notice overlapped(long oldTerm, Leader by) {
        return Notice.loud(
                        "overlapped",
                        "what the command started in term " + oldTerm + " still lives, and " + ledBy(by)
                                + "; only the term protects what both write to")
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
                        "what the command left could not be saved in time; the next leader finds what was saved before")
                .inTerm(term);
    }

    private String ledBy(Leader leader) {
        return "\"" + leader.id() + "\" leads " + election + " in term " + leader.term();
    }

    private static String spelled(LossCause cause) {
        return switch (cause) {
            case RESIGNED -> "resigned";
            case TRANSFERRED -> "handed over";
            case PAUSED -> "paused";
            case UNHEALTHY -> "unhealthy";
            case CLOSED -> "closed";
            case EXPIRED -> "the lease ran out";
            case SUSPENDED -> "this machine was suspended";
            case SUPERSEDED -> "another holds the lease, or its record is gone";
        };
    }
}
