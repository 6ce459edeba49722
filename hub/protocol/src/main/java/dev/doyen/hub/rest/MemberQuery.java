package dev.doyen.hub.rest;

import dev.doyen.hub.wire.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * Selects a page of a channel's members.
 *
 * @param limit the maximum number of members
 * @param clientId the client id of the selected members; null for all members
 * @param connectionId the connection id of the selected members; null for all members
 * @param after the cursor: the last member on the previous page; null for the first page
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
