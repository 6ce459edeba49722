/**
 * The package checks and reads the content that clients send: channel names, extras and the data of a claim.
 *
 * <p>The package decides which content is valid. The package calls {@code wire}. Start reading at {@link
 * dev.doyen.hub.content.ClaimData}.
 */
@NullMarked
package dev.doyen.hub.content;

import org.jspecify.annotations.NullMarked;
