/**
 * The package decides how connections open, attach, resume, authenticate again and close.
 *
 * <p>The package calls {@code presence}, {@code claim}, {@code publish} and {@code channel}. Start reading at {@link
 * dev.doyen.hub.connection.Connections}.
 */
@NullMarked
package dev.doyen.hub.connection;

import org.jspecify.annotations.NullMarked;
