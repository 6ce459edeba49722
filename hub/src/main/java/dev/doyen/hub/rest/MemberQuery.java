package dev.doyen.hub.rest;

import dev.doyen.hub.wire.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * Which of a channel's members are asked for.
 *
 * @param limit at most so many
 * @param clientId only of this client; null for all
 * @param connectionId only of this connection; null for all
 * @param after the last member of the page before; null for the first page
 */
public record MemberQuery(
        int limit,
        @Nullable String clientId,
        @Nullable String connectionId,
        @Nullable String after) {

    static MemberQuery read(Query query) throws Refusal {
        return new MemberQuery(
                query.limit(), query.text("clientId"), query.text("connectionId"), query.text(Query.CURSOR));
    }
}
