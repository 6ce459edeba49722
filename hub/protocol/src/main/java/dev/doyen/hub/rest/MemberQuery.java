package dev.doyen.hub.rest;

import dev.doyen.hub.wire.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * Selects a page of a channel's members.
 *
 * @param limit maximum number of members
 * @param clientId only members with this client id; null for all
 * @param connectionId only members of this connection; null for all
 * @param after the cursor: the last member on the page before; null for the first page
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
