package dev.doyen.ranking;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * One client on one connection, as the channel's presence set shows it, already read (rule K3, {@link PresenceData}).
 *
 * @param key unique among all members, and never the same on two connections
 * @param clientId the name people know it by; two members may have the same
 * @param order the hub's time of its present data, in milliseconds: who wrote later stands further back
 * @param role whether it claims
 * @param term the term it wrote itself; 0 if it wrote none
 * @param stamped the term that the hub granted, which no member can write; empty where nobody grants claims
 * @param priority the higher claims first
 * @param eligible whether it may be elected
 * @param seq the number its author gave to this data; empty in a stranger's
 * @param ended there while this is the data that the hub left it when it took its claim away (rule K19)
 */
public record Member(
        String key,
        String clientId,
        long order,
        Role role,
        long term,
        OptionalLong stamped,
        long priority,
        boolean eligible,
        OptionalLong seq,
        Optional<Ended> ended) {

    /**
     * The hub took a claim away.
     *
     * @param heir the client id of who is to claim next, if the hub said so
     */
    public record Ended(Optional<String> heir) {}

    /** The term its claim counts for: the hub's, else its own (rule K4). */
    public long termOfClaim() {
        return stamped.orElse(term);
    }

    boolean claims() {
        return role == Role.LEADER;
    }

    /** Whether this is the data that its author numbered so. */
    boolean isNumbered(long number) {
        return seq.isPresent() && seq.getAsLong() == number;
    }
}
