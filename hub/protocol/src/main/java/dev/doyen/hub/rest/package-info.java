/**
 * The package implements Ably's REST API: the routes, queries and answers of HTTP requests.
 *
 * <p>The package makes no decisions about channels. Its classes are values or pure functions of a {@link
 * dev.doyen.hub.rest.RestRequest} and the hub's state. The package reads and changes that state only through {@link
 * dev.doyen.hub.rest.ChannelBook}. Start reading at {@link dev.doyen.hub.rest.RestApi}.
 *
 * <p>The sources are Ably's REST API as the official SDKs use it, RFC 8288 for links, and the Fetch standard for CORS.
 */
@NullMarked
package dev.doyen.hub.rest;

import org.jspecify.annotations.NullMarked;
