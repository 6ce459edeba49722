/**
 * What one step of the hub works on: the time of the input and the effects so far.
 *
 * <p>It decides nothing. It calls {@code wire} and {@code settings}. Start reading at {@link
 * dev.doyen.hub.step.StepContext}.
 */
@NullMarked
package dev.doyen.hub.step;

import org.jspecify.annotations.NullMarked;
