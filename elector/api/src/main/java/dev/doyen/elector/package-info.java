/**
 * The elector API without sockets: reports the leader over GET and Server-Sent Events.
 *
 * <p>A request record goes in, and a response record or an event stream comes out. The port
 * {@link dev.doyen.elector.Elections} provides the state of the elections; the HTTP handler pushes changes with
 * {@link dev.doyen.elector.Elector#changed}. The package reads no clock; the handler passes the time, which is only
 * displayed. Start with {@code Elector}.
 */
@NullMarked
package dev.doyen.elector;

import org.jspecify.annotations.NullMarked;
