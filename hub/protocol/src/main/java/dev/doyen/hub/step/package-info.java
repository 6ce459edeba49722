/**
 * The package contains the data of one step of the hub. The data are the time of the input and the effects of the step.
 *
 * <p>The package makes no decisions. Effects contain values of {@code auth}, {@code log}, {@code rest}, {@code
 * settings} and {@code wire}. Start reading at {@link dev.doyen.hub.step.StepContext}.
 */
@NullMarked
package dev.doyen.hub.step;

import org.jspecify.annotations.NullMarked;
