/**
 * Decides what {@code doyen elector} does: which leader it reports, and when its candidate campaigns.
 *
 * <p>It also decides when the app counts as ended, and the order of the shutdown. The package is pure: the clock
 * arrives with each input. {@code sidecar.driver} carries out the decisions. Start with {@code Reported},
 * {@code CampaignDecision}, {@code AppWatch}, {@code Leaving}, {@code StartGate} and {@code Tally}.
 */
@NullMarked
package dev.doyen.sidecar;

import org.jspecify.annotations.NullMarked;
