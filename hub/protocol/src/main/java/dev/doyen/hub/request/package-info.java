/**
 * Answers HTTP requests about channels.
 *
 * <p>It calls {@code rest}, {@code connection} and {@code publish}. Start reading at {@link
 * dev.doyen.hub.request.RestRequestChannels}.
 */
@NullMarked
package dev.doyen.hub.request;

import org.jspecify.annotations.NullMarked;
