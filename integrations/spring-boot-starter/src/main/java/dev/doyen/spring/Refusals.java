package dev.doyen.spring;

import dev.doyen.election.Candidate;
import dev.doyen.election.LocalCandidate;
import java.util.function.Supplier;

/** Adds a setting's name to the exception that rejects the setting's value. */
final class Refusals {

    private Refusals() {}

    static <T> T under(String key, Supplier<T> check) {
        try {
            return check.get();
        } catch (DoyenRefusedException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new DoyenRefusedException(key + ": " + e.getMessage(), e);
        }
    }

    /**
     * Casts the candidate to a candidate that campaigns in this process.
     *
     * @throws DoyenRefusedException if an elector campaigns for this application
     */
    static LocalCandidate<?> local(Candidate<?> candidate) {
        if (candidate instanceof LocalCandidate<?> local) {
            return local;
        }
        String election = candidate.election();
        throw new DoyenRefusedException("election \"" + election
                + "\" is led through an elector, and only the elector can resign; send it the command: POST"
                + " /v1/elections/" + election + "/resign");
    }
}
