/**
 * The package answers HTTP requests about channels.
 *
 * <p>The package calls {@code rest}, {@code connection} and {@code publish}. Start reading at {@link
 * dev.doyen.hub.request.RestRequestChannels}.
 */
@NullMarked
package dev.doyen.hub.request;

import org.jspecify.annotations.NullMarked;
