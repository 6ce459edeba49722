/**
 * The package contains the data of one step of the hub. The data are the time of the input and the effects of the step.
 *
 * <p>The package makes no decisions. The package calls {@code wire} and {@code settings}. Start reading at {@link
 * dev.doyen.hub.step.StepContext}.
 */
@NullMarked
package dev.doyen.hub.step;

import org.jspecify.annotations.NullMarked;
