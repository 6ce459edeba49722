/**
 * The hub over plain HTTP requests: what is asked, where it leads, how it is answered.
 *
 * <p>Everything here is a value or a pure function of a {@link dev.doyen.hub.rest.RestRequest} and of what the hub says
 * through {@link dev.doyen.hub.rest.ChannelBook}. Start at {@link dev.doyen.hub.rest.RestApi}. Sources: Ably's REST API
 * as the official SDKs use it; RFC 8288 for links, the Fetch standard for CORS.
 */
@NullMarked
package dev.doyen.hub.rest;

import org.jspecify.annotations.NullMarked;
