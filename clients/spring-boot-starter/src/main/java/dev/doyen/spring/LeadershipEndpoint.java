package dev.doyen.spring;

import dev.doyen.Candidate;
import dev.doyen.Leadership;
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
 * {@code /actuator/leadership}: how this application stands in its elections, and why. POST to one makes this application resign,
 * once {@code management.endpoint.leadership.access} is {@code unrestricted}; it is {@code read-only} by default.
 */
@Endpoint(id = "leadership", defaultAccess = Access.READ_ONLY)
public final class LeadershipEndpoint {

    private final LeaderElections elections;

    LeadershipEndpoint(LeaderElections elections) {
        this.elections = elections;
    }

    /** All elections by name. */
    @ReadOperation
    public Map<String, Standing> all() {
        Map<String, Standing> all = new LinkedHashMap<>();
        elections.names().forEach(name -> all.put(name, standing(name)));
        return all;
    }

    /** One election; null, which is 404, if there is none of this name. */
    @ReadOperation
    public @Nullable Standing one(@Selector String name) {
        return elections.names().contains(name) ? standing(name) : null;
    }

    /** Resigns, if this application leads; the answer does not wait for the work to stop. Null as {@link #one}. */
    @WriteOperation
    public @Nullable Standing resign(@Selector String name) {
        elections.candidate(name).filter(Candidate::isLeader).ifPresent(candidate -> {
            try {
                CompletableFuture<Void> unused = candidate.resign();
            } catch (UnsupportedOperationException e) {
                throw new InvalidEndpointRequestException(
                        String.valueOf(e.getMessage()), String.valueOf(e.getMessage()), e);
            }
        });
        return one(name);
    }

    private Standing standing(String name) {
        Optional<Candidate> candidate = elections.candidate(name);
        Optional<Leader> leader = candidate.flatMap(Candidate::leader);
        boolean leading = elections.isLeader(name);
        return new Standing(
                candidate.map(Candidate::id).orElse(null),
                leading,
                leader.map(Leader::id).orElse(null),
                leader.map(Leader::term).orElse(null),
                elections
                        .leadership(name)
                        .map(Leadership::remaining)
                        .map(d -> d.toMillis())
                        .orElse(null),
                candidate.map(c -> c.explain().reason().name()).orElse("NOT_JOINED"),
                candidate.map(c -> c.explain().sentence()).orElse("this application does not stand"));
    }

    /**
     * How this application stands in one election.
     *
     * @param candidate its name there; null if it does not stand
     * @param leading whether it leads
     * @param leader who leads, as far as is known here
     * @param term of that leader
     * @param remainingMillis for how long it leads if nothing is renewed; null if it does not lead
     * @param reason why, for programs
     * @param explanation why, for people
     */
    public record Standing(
            @Nullable String candidate,
            boolean leading,
            @Nullable String leader,
            @Nullable Long term,
            @Nullable Long remainingMillis,
            String reason,
            String explanation) {}
}
