/**
 * Decides which leader {@code doyen elector} reports, and when its candidate campaigns.
 *
 * <p>The package also decides when the app counts as ended, and the order of the shutdown. The classes are pure
 * functions. A function whose result depends on the time receives the time as an argument. The package {@code
 * sidecar.driver} carries out the decisions. Start with {@code Reported}, {@code CampaignDecision}, {@code AppWatch},
 * {@code Leaving} and {@code StartGate}.
 */
@NullMarked
package dev.doyen.sidecar;

import org.jspecify.annotations.NullMarked;
