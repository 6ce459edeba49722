/**
 * The package decides whether a message is published, and sends it to the attached connections.
 *
 * <p>The package also checks the term of a fenced publish (C10). The package calls {@code claim}, {@code channel} and
 * {@code history}. Start reading at {@link dev.doyen.hub.publish.Publishing}.
 */
@NullMarked
package dev.doyen.hub.publish;

import org.jspecify.annotations.NullMarked;
