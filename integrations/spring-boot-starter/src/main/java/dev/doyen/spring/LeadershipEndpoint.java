package dev.doyen.spring;

import dev.doyen.election.Candidate;
import dev.doyen.election.Leadership;
import dev.doyen.event.Explanation;
import dev.doyen.event.Leader;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * The endpoint {@code /actuator/leadership}, which reports this application's state in its elections.
 *
 * <p>A POST to an election makes this application resign, if {@code management.endpoint.leadership.access} is
 * {@code unrestricted}. The default is {@code read-only}.
 */
@Endpoint(id = "leadership", defaultAccess = Access.READ_ONLY)
public final class LeadershipEndpoint {

    private final LeaderElections elections;

    LeadershipEndpoint(LeaderElections elections) {
        this.elections = elections;
    }

    /** Returns the application's state in all elections, by name. */
    @ReadOperation
    public Map<String, ElectionStatus> all() {
        Map<String, ElectionStatus> all = new LinkedHashMap<>();
        elections.names().forEach(name -> all.put(name, status(name)));
        return all;
    }

    /**
     * Returns the application's state in one election. The result is null (status 404) if no election has this name.
     */
    @ReadOperation
    public @Nullable ElectionStatus one(@Selector String name) {
        return elections.names().contains(name) ? status(name) : null;
    }

    /**
     * Resigns if this application leads. The method does not wait until the work has stopped. The result is null
     * (status 404) if no election has this name. The method rejects the request (status 400) if this application leads
     * through an elector.
     */
    @WriteOperation
    public @Nullable ElectionStatus resign(@Selector String name) {
        elections.candidate(name).filter(Candidate::isLeader).ifPresent(candidate -> {
            try {
                CompletableFuture<Void> unused = Refusals.local(candidate).resign();
            } catch (DoyenRefusedException e) {
                throw new InvalidEndpointRequestException(
                        String.valueOf(e.getMessage()), String.valueOf(e.getMessage()), e);
            }
        });
        return one(name);
    }

    private ElectionStatus status(String name) {
        Optional<Candidate<?>> candidate = elections.candidate(name);
        Optional<Leader> leader = candidate.flatMap(Candidate::leader);
        boolean leading = elections.isLeader(name);
        Optional<Explanation> explanation = elections.explain(name);
        return new ElectionStatus(
                candidate.map(Candidate::id).orElse(null),
                leading,
                leader.map(Leader::id).orElse(null),
                leader.map(Leader::term).orElse(null),
                elections
                        .leadership(name)
                        .map(Leadership::remaining)
                        .map(d -> d.toMillis())
                        .orElse(null),
                explanation.map(each -> each.reason().name()).orElse("NOT_JOINED"),
                explanation.map(Explanation::sentence).orElse("this application does not campaign"));
    }

    /**
     * This application's state in one election.
     *
     * @param candidate the candidate's name; null if the application has not joined the election
     * @param leading true if this application leads
     * @param leader the leader; null if no leader is known
     * @param term the leader's term; null if no leader is known
     * @param remainingMillis the time for which this application leads without another renewal, in milliseconds; null
     *     if it does not lead
     * @param reason the reason of the state, as a constant for programs
     * @param explanation the reason of the state, as a sentence for people
     */
    public record ElectionStatus(
            @Nullable String candidate,
            boolean leading,
            @Nullable String leader,
            @Nullable Long term,
            @Nullable Long remainingMillis,
            String reason,
            String explanation) {}
}
