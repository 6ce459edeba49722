/**
 * The elector API without its sockets: who leads, told over GET and Server-Sent Events.
 *
 * <p>A request record goes in, a response record or an event stream comes out. The truth about leaders stands behind the
 * port {@link dev.doyen.elector.Elections}; a shell pushes changes in with {@link dev.doyen.elector.Elector#changed}.
 * No clock is read here: the shell passes the time, which is only ever shown to people. Entry type: {@code Elector}.
 */
@NullMarked
package dev.doyen.elector;

import org.jspecify.annotations.NullMarked;
