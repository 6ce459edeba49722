/**
 * Checks and reads what clients send: channel names, extras and the data of a claim.
 *
 * <p>It decides which content is valid. It calls {@code wire}. Start reading at {@link
 * dev.doyen.hub.content.ClaimData}.
 */
@NullMarked
package dev.doyen.hub.content;

import org.jspecify.annotations.NullMarked;
