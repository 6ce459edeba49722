/**
 * The package checks and reads the channel names, extras and claim data that clients send.
 *
 * <p>The package decides which content is valid. The package calls {@code auth} and {@code wire}. Start reading at
 * {@link dev.doyen.hub.content.ClaimData}.
 */
@NullMarked
package dev.doyen.hub.content;

import org.jspecify.annotations.NullMarked;
