/**
 * Ably's REST API: routes and queries of HTTP requests, and their answers.
 *
 * <p>The package decides nothing about channels. Everything here is a value or a pure function of a
 * {@link dev.doyen.hub.rest.RestRequest} and of the hub's state, which it reads and changes only through
 * {@link dev.doyen.hub.rest.ChannelBook}. Start reading at {@link dev.doyen.hub.rest.RestApi}.
 *
 * <p>Sources: Ably's REST API as the official SDKs use it; RFC 8288 for links; the Fetch standard for CORS.
 */
@NullMarked
package dev.doyen.hub.rest;

import org.jspecify.annotations.NullMarked;
