/**
 * The elector API without sockets. The API reports the leader over GET and Server-Sent Events.
 *
 * <p>The input is a request record. The output is a response record, an event stream or an admin command. The interface
 * {@link dev.doyen.elector.Elections} provides the state of the elections. The HTTP handler reports changes with {@link
 * dev.doyen.elector.Elector#changed}. The package reads no clock. The handler passes the time, which appears in
 * responses and affects no decision. Start with {@code Elector}.
 */
@NullMarked
package dev.doyen.elector;

import org.jspecify.annotations.NullMarked;
